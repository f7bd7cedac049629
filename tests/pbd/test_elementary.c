/* The elementary functions against 40-digit values (rounded to two doubles each),
 * and the properties the solver leans on. */
#include "check.h"
#include "math/elementary.h"

#include <float.h>
#include <math.h>

struct sample {
    double x, value, rest; /* f(x) = value + rest */
};

/* clang-format off */
static const struct sample exp_samples[] = {
    {0x1.581fef5567df4p+7, 0x1.2cfb5197662f1p+248, 0x1.bd603282e12d7p+193},
    {0x1.528074fabe640p+8, 0x1.4762ae6cc8871p+488, 0x1.a8b2f1b63fb3fp+434},
    {0x1.9d455fb7d404cp+8, 0x1.2b007689e8ef3p+596, -0x1.2cc4d9b252596p+542},
    {0x1.35b7174221d86p+9, 0x1.917950a637783p+893, -0x1.e2109236eadb4p+839},
    {0x1.4fdba6311b050p+8, 0x1.746450fefe458p+484, 0x1.8f371b8bf1f7cp+426},
    {0x1.27a0a3afe0e48p+9, 0x1.001d84b73a5d5p+853, 0x1.0f13ad065f741p+799},
    {-0x1.49b24359f833dp+9, 0x1.9f2388bc65396p-952, -0x1.4bf55526a1b51p-1007},
    {-0x1.8106b9b1a8740p+5, 0x1.7adf04a9e7a2bp-70, -0x1.a42a2fc94d515p-124},
    {0x1.365986104ac78p+9, 0x1.650add09638dap+895, 0x1.7a67cb3521bedp+839},
    {0x1.a120f5ae260ccp+7, 0x1.dbfd8a4ccf8d9p+300, 0x1.eff582b5173a5p+246},
    {0x1.18a15e3d39784p+9, 0x1.a806e0dad326fp+809, -0x1.204d14bfeecaep+754},
    {-0x1.0ec17dbaf7d44p+9, 0x1.b2af87a12c5a0p-782, 0x1.275e3bb266f53p-839},
    {-0x1.5a6d39e82d260p+5, 0x1.70bfcb019df6bp-63, 0x1.613dfd6212fa2p-123},
    {-0x1.62cc4bfa5e0bap+8, 0x1.190a6c6caf4e9p-512, 0x1.cd4abfcd9243ap-566},
    {0x1.ea1f22b6c3a00p+5, 0x1.4ec3d04a84645p+88, 0x1.8992b38e96307p+34},
    {0x1.9e12164688108p+6, 0x1.45071c441d1f4p+149, -0x1.c094e55974a07p+95},
    {-0x1.54d1efee057c2p+9, 0x1.8455c6e7e5e9ap-984, -0x0.00004366bf616p-1022},
    {-0x1.8c940a1d92d55p+8, 0x1.d02958256fdd9p-573, -0x1.e35b065969a30p-627},
    {-0x1.34b985202302dp+8, 0x1.853716fbd4407p-446, -0x1.ec91669f69a48p-505},
    {0x1.2371173367156p+9, 0x1.e571f5625a59ap+840, 0x1.8d61892900451p+785},
    {0x1.7404007a26ca8p+8, 0x1.a15925453bd1fp+536, 0x1.fbc81630f1e23p+481},
    {-0x1.dc8dd9aca9bddp+8, 0x1.64801114e4c3ep-688, 0x1.b6df2285a51efp-743},
    {0x1.a0017b52968acp+8, 0x1.1fe9a2fd878cdp+600, -0x1.8842757cc6ba7p+542},
    {-0x1.f9b9c1dadce84p+8, 0x1.4ff6debaac72bp-730, -0x1.495fdfdddf4f5p-784},
    {0x1.e115e4e3c1808p-3, 0x1.43c9308a874fcp+0, -0x1.84460a06ef0fap-57},
    {-0x1.7e428e6f12bb6p-1, 0x1.e559994c954d9p-2, 0x1.e33b3c60a03a7p-57},
    {-0x1.fe2ebb038a73cp-1, 0x1.7a0c529b0b745p-2, 0x1.2680beff3c95bp-56},
    {0x1.7c518680ae19cp-1, 0x1.0d08d7451fd18p+1, 0x1.45d17103d01c5p-54},
    {-0x1.2984441cfae1cp-1, 0x1.1e5b40ce40541p-1, -0x1.da78b4ecdb4eap-56},
    {-0x1.2358e7851a8e4p-1, 0x1.21d3eae3ead0bp-1, -0x1.f9b44d86189eep-60},
    {0x1.edffcc953ac8ap-1, 0x1.4feb78e7f3d74p+1, 0x1.fb81bfb105d0ep-53},
    {0x1.7d5876154f5d0p-1, 0x1.0d93242f01397p+1, 0x1.9bd86ea1e47e4p-55},
    {-0x1.af80c5afb48b8p-2, 0x1.4ff0d869d737bp-1, 0x1.15d1b04be3e81p-61},
    {0x1.d88daf9975348p-1, 0x1.4223d73653a7ep+1, -0x1.17a633b1e4b25p-54},
    {0x1.4151938125520p-4, 0x1.14e420d6724a4p+0, 0x1.6e8fe18c6711bp-55},
    {0x1.6c3262a02fda8p-2, 0x1.6d57f900d02d9p+0, -0x1.0e2bca3ea48dcp-55},
    {-0x1.2e4e4768bf14ep-1, 0x1.1bb0c0dea5a75p-1, -0x1.0348954f14d89p-61},
    {0x1.c38f367bf9ab0p-1, 0x1.3532b8979fbe5p+1, -0x1.601695cd220a0p-54},
    {0x1.866f483266aa0p-2, 0x1.76d366342549ep+0, -0x1.66c19b7fd9d03p-55},
    {0x1.ddc308fb88474p-1, 0x1.456f09d3c6a3ep+1, 0x1.e9b51fc8fa79ep-53},
    {0x1.933104b10d77ap-1, 0x1.19536b254ecb7p+1, -0x1.f3d0085ba6aecp-53},
    {-0x1.9c1490fa7a600p-2, 0x1.565fa19b91268p-1, -0x1.450949d3cae4dp-55},
    {-0x1.1c487395c8ac8p-2, 0x1.83e21f4520cffp-1, -0x1.c36752353c1d3p-55},
    {-0x1.560f9d8837f24p-1, 0x1.067f0942c86aep-1, 0x1.98d9c23057c86p-55},
    {-0x1.6acd1e5e3b692p-1, 0x1.f826a145a5458p-2, 0x1.2f653282964cap-57},
    {-0x1.bd4c03d585caep-1, 0x1.ad2053d2bc24ap-2, 0x1.53d7f1fa49186p-56},
    {-0x1.96d10a2ebeda8p-2, 0x1.582355ed4d39bp-1, 0x1.b26b0f1f736c8p-58},
    {0x1.a656ab2c1ab50p-3, 0x1.3aa1499e6ebddp+0, -0x1.2ffb179432df7p-56},
    {0x1.12e0be826d695p-30, 0x1.000000044b830p+0, -0x1.7b444af5c26a7p-54},
    {-0x1.12e0be826d695p-30, 0x1.fffffff768fa1p-1, -0x1.003e3b2b92095p-55},
    {-0x1.0000000000000p+0, 0x1.78b56362cef38p-2, -0x1.ca8a4270fadf5p-57},
    {0x1.0000000000000p+0, 0x1.5bf0a8b145769p+1, 0x1.4d57ee2b1013ap-53},
};
static const struct sample log_samples[] = {
    {0x1.ed6598f677062p-1004, -0x1.5ba1beb8da125p+9, -0x1.5f4e703e112ecp-56},
    {0x1.4eb7dc18a962cp+359, 0x1.f2374523afc84p+7, 0x1.c04973d283a70p-55},
    {0x1.80edd41738a5cp-328, -0x1.c5e38792e463ap+7, -0x1.beacee8f1c6fbp-56},
    {0x1.1da8b891c5de4p-384, -0x1.0a0f13cad0428p+8, -0x1.8849b1366213ap-54},
    {0x1.42bd4235a9b07p+643, 0x1.bdece0c18fadcp+8, -0x1.4dddbcd002a53p-56},
    {0x1.1436fc20aded3p-39, -0x1.af4ecd4206480p+4, -0x1.a89e1a083cf9cp-56},
    {0x1.ec771d2944079p-373, -0x1.01e3c038aa28bp+8, -0x1.c8ea4deb390c0p-57},
    {0x1.0bdf5ab0ec97ep-38, -0x1.a4b54934e4860p+4, 0x1.7994cd01417cbp-54},
    {0x1.4e58db72defffp+413, 0x1.1e896aecd22dep+8, 0x1.2d92ff1db85f2p-55},
    {0x1.2ed719c52f3e7p-895, -0x1.36196ef51586fp+9, -0x1.a466a6b3ede82p-55},
    {0x1.82398f2d60c8cp+959, 0x1.4c91d77aa9dd4p+9, -0x1.f6d2fc35fb7e7p-55},
    {0x1.3a750cb668476p-964, -0x1.4dfe7db671763p+9, 0x1.843075c9be90bp-55},
    {0x1.71748be87b8d8p+504, 0x1.5db6893696740p+8, 0x1.82cfade844675p-58},
    {0x1.7efb173be0d54p+696, 0x1.e2d54f8dc05fcp+8, 0x1.18654d8fb4cc5p-54},
    {0x1.8595a326a4a83p-974, -0x1.515a4c3374ec5p+9, 0x1.c15eb970eede5p-55},
    {0x1.1f3b748b46da5p+581, 0x1.92d5687c4b75cp+8, 0x1.e32f4abe3e211p-55},
    {0x1.0c9d661210c73p+0, 0x1.8a0b482d0b5e1p-5, 0x1.206c30d7d22c5p-63},
    {0x1.5e26b7086115ap+0, 0x1.40b446fec229bp-2, -0x1.a3bc4f6c0b761p-61},
    {0x1.06f8e22b788f4p-1, -0x1.55222aba13a9ap-1, -0x1.ccc3ca71630b7p-55},
    {0x1.23e2ece3f1ddep-1, -0x1.1fb93374db57ap-1, -0x1.9a0308e5b52a9p-55},
    {0x1.8af237fbe05f0p-1, -0x1.09ce11d9f9650p-2, -0x1.a107b59f9d108p-57},
    {0x1.eeca013dcf997p+0, 0x1.51626f84dbc2ap-1, -0x1.5affb7ac37d2ap-55},
    {0x1.96edbb8b6d0c9p-1, -0x1.d66605aef5588p-3, -0x1.94bb9e7d508d3p-58},
    {0x1.a233e98bcfea1p+0, 0x1.f69163f77c886p-2, 0x1.0009eca4341edp-59},
    {0x1.e4fcd62755ee9p+0, 0x1.4723ed0236beep-1, 0x1.f65afe807de44p-55},
    {0x1.e9bead362f945p+0, 0x1.4c2354d42d9b0p-1, -0x1.9bdffd6181a50p-57},
    {0x1.043e1c18998d1p+0, 0x1.0d4d510328679p-6, -0x1.33abf455d30b1p-60},
    {0x1.083d975ad9a24p+0, 0x1.038b2b7253f94p-5, -0x1.e42a5be376adep-59},
    {0x1.497c49ac0afc2p+0, 0x1.026952a7148dap-2, -0x1.8715cc03ce5a0p-57},
    {0x1.a9d4e0f6377f7p+0, 0x1.048a23a754273p-1, 0x1.5aa62cc1ccd9bp-55},
    {0x1.52fc0ef89e064p-1, -0x1.a6444df87830dp-2, -0x1.450306d35fe58p-60},
    {0x1.9f6285c57cc52p+0, 0x1.efa509836e19cp-2, 0x1.b8df6f7145b62p-66},
    {0x1.b2229241a1592p+0, 0x1.0e6d5f9858686p-1, -0x1.f15529892877fp-55},
    {0x1.ca1f63ee33931p+0, 0x1.29f6961e53704p-1, -0x1.b8c026c17068cp-57},
    {0x1.1c220fc990d5cp-1, -0x1.2d81f0fb5f8e5p-1, 0x1.6ccac8782b6b3p-55},
    {0x1.eb2ff0fef5dc4p+0, 0x1.4da4cf1c01421p-1, -0x1.efab4a0a38adap-60},
    {0x1.4606b0d403b00p-1, -0x1.ce2ded8b944f2p-2, -0x1.f38c4ed61df0fp-56},
    {0x1.02d828589e452p+0, 0x1.6a1230acf0bdap-7, 0x1.d0f57db1a9afdp-62},
    {0x1.6a8eca5167f12p+0, 0x1.645bc9dc25525p-2, 0x1.9c007b188e990p-58},
    {0x1.e08ba4871d072p+0, 0x1.426ddca13bb28p-1, -0x1.ee124e20dd2e9p-55},
    {0x1.fffff542868dfp-1, -0x1.57af31dccdd89p-22, -0x1.f3470719997f6p-78},
    {0x1.00000e3bd46e2p+0, 0x1.c77a811a6cfdcp-21, -0x1.aa7ca4ebcc1b9p-78},
    {0x1.00000183c8c99p+0, 0x1.83c8c86a4ba9bp-24, 0x1.885df6a98ae66p-78},
    {0x1.fffff369ec005p-1, -0x1.92c284e94ef01p-22, -0x1.39e923b59c3bfp-77},
    {0x1.fffff3b4a5d0fp-1, -0x1.896b4a9b35266p-22, -0x1.1e68df03cffbap-77},
    {0x1.ffffea5b1c418p-1, -0x1.5a4e4339de7c3p-21, 0x1.dafca86f16427p-77},
    {0x1.ffffe3b177692p-1, -0x1.c4e895f318584p-21, 0x1.b0f2ff3774311p-75},
    {0x1.ffffe86f99542p-1, -0x1.7906736b0fde6p-21, 0x1.c676d492e4d4ep-75},
    {0x0.012688b70e62bp-1022, -0x1.64e69394d9508p+9, -0x1.35918fe61c196p-47},
};
static const struct sample sin_samples[] = {
    {0x1.35f192a5bed08p+0, 0x1.df2a38cdbe46dp-1, 0x1.41a5f34fc88a6p-58},
    {0x1.96eb29cb23f6ap+1, -0x1.32cac2eee3cd2p-5, 0x1.cf963511384bdp-62},
    {-0x1.15466a830f0e2p+1, -0x1.a7e4931081c8fp-1, 0x1.6277a990f3a0dp-56},
    {-0x1.71d3792ae8eddp+1, -0x1.ff4c696c608c6p-3, 0x1.58baba6bc4ddfp-58},
    {0x1.8eb43370b4dbep+1, 0x1.b5b394927bb86p-6, 0x1.3ffd91758b6e7p-62},
    {0x1.b77e7f82d6600p-3, 0x1.b420eee532377p-3, -0x1.9d81dbbdeaefbp-57},
    {-0x1.3462d98c905a0p-1, -0x1.22133b8171164p-1, 0x1.daba7d89c2395p-56},
    {-0x1.ae59036855684p+0, -0x1.fce4388ddaa7ap-1, 0x1.d1f1c72c4df99p-56},
    {0x1.33e38bc008b14p-1, 0x1.21aa4bb958e2ep-1, 0x1.5200946605240p-55},
    {0x1.0b4d20e66be00p+1, 0x1.bcf595c9ce16bp-1, 0x1.109e34c9470acp-56},
    {-0x1.228d9deaba718p-2, -0x1.1eab8bc9cf327p-2, -0x1.e4f7e2f8d7ca1p-58},
    {-0x1.0062bfc459b0cp-1, -0x1.eb9bd04c6ab60p-2, -0x1.94c766e43b51bp-56},
    {-0x1.6bf6f2688b937p+1, -0x1.2cc5a02a8daa5p-2, -0x1.162a5890549dep-56},
    {0x1.54d8110e2a172p+1, 0x1.d7b99f1911288p-2, 0x1.d9f15f9b7ecbep-59},
    {-0x1.7ecb767ab5a5fp+1, -0x1.34175deb6e4f1p-3, -0x1.0ef69e996ed86p-58},
    {-0x1.516bddd848880p-5, -0x1.515371b0f1c24p-5, -0x1.80d9ccc50a17ap-59},
    {0x1.153dc3aecd8d0p+1, 0x1.a7f7fadd9d5e2p-1, -0x1.0821f2e0caa1bp-58},
    {-0x1.2ea2b401ea327p+1, -0x1.6713dd1f71b6dp-1, -0x1.fc9516279fda3p-56},
    {0x1.7b8f1a0d1df08p+0, 0x1.fe032802baa0dp-1, -0x1.bc4c364e8ed9dp-57},
    {0x1.70799873ff11ap+1, 0x1.0a19e9a7e502fp-2, -0x1.cb4a029bd6290p-57},
    {0x1.ab4adb08ce050p-1, 0x1.7b6419dcb27f6p-1, 0x1.c90579aac4621p-56},
    {0x1.d7dff5ee59d00p+0, 0x1.ed1cd2daf707cp-1, -0x1.034559903ff16p-58},
    {-0x1.423f8a551cdcdp+1, -0x1.2b2a930807563p-1, 0x1.433b520b688cap-56},
    {-0x1.ace62b9b3d870p-2, -0x1.a077d97e139edp-2, -0x1.8179ec1e1b73ep-56},
    {-0x1.5688a9f30d6b2p+19, 0x1.c7669e9c6b574p-1, -0x1.6ee11e9e22234p-55},
    {0x1.50a77968892e8p+19, 0x1.eddeb3507b730p-1, 0x1.a1c2f6dc46e6fp-57},
    {-0x1.90c18971e2d98p+18, -0x1.cbbdd759928eap-2, -0x1.0576cb4e590c7p-57},
    {-0x1.6dfa2c49bb2b0p+16, -0x1.ffd36606d4c51p-1, 0x1.41416428a471cp-59},
    {0x1.e798fcad2b8fep+19, 0x1.4578c7467ea4ep-1, -0x1.72bc52baf12a1p-55},
    {0x1.57ff2aefec4f4p+19, -0x1.8603f98a4bedap-5, -0x1.535f559d299dep-59},
    {0x1.d0d9e476ba92cp+19, -0x1.03a9c142f5ebfp-1, -0x1.ecea59b3717c9p-56},
    {-0x1.6af805543f2a8p+16, 0x1.d01fcc5d43ce6p-1, 0x1.5b17740de1224p-57},
    {-0x1.720802f578f80p+14, -0x1.40eeb691c4ad3p-1, -0x1.1f92052c9d559p-55},
    {0x1.c0408287b8640p+18, -0x1.f4d8fd31af955p-1, -0x1.7b998fecb41f3p-55},
    {-0x1.4776330d263c0p+15, 0x1.e2d71b8c12db0p-6, -0x1.444bff7ab9456p-60},
    {-0x1.9828b10153f2ep+18, 0x1.a22b22b819d93p-2, 0x1.63eac5b7be445p-57},
    {-0x1.77d295b3db714p+17, 0x1.f6c172e306a18p-1, -0x1.cfffe3cf71176p-56},
    {-0x1.593568ccc47d4p+19, 0x1.f512c1f5d05c5p-4, -0x1.8ecefd13df1bep-59},
    {-0x1.e077409123200p+17, 0x1.6336776b65777p-1, 0x1.3d897f04c5123p-56},
    {0x1.dcf0ecd3773ecp+19, -0x1.7c7badbc479b6p-1, -0x1.72a4bc34c8669p-57},
    {0x1.c109f88afc21ep+19, -0x1.6fbf6c8934d4fp-2, 0x1.93808a4d551b0p-56},
    {0x1.eff4f8907f0f8p+17, 0x1.ec1367df1c77fp-1, 0x1.c23cb4ef3b967p-55},
    {-0x1.52c6509291400p+10, 0x1.c1acba8cfbd73p-1, 0x1.d098c83eb83ffp-55},
    {-0x1.3b789eaf5e7b6p+18, 0x1.df05ce227aad1p-1, -0x1.11394bca458dbp-55},
    {-0x1.913ba55bcb4fep+19, 0x1.63c2bb73ebe47p-1, -0x1.b804dcb08aeebp-58},
    {-0x1.bcb4eed49d524p+18, 0x1.94fa1a50717f2p-2, -0x1.782ff3d569fcbp-56},
    {0x1.1368be25ca242p+19, 0x1.c7d042dd4a129p-2, -0x1.ea21e9e87aba8p-56},
    {0x1.66c6b3a23d43ep+19, -0x1.9925b2cdf1084p-1, -0x1.abca1d94fec8ep-63},
    {0x1.5798ee2308c3ap-27, 0x1.5798ee2308c3ap-27, -0x1.9ca58cce0be35p-83},
};
static const struct sample cos_samples[] = {
    {-0x1.c667fcb2f35d4p-1, 0x1.433f6f65ae2cdp-1, -0x1.2aeeb68f12e0cp-58},
    {0x1.d49e90a2d8da8p+0, -0x1.07005410f66b7p-2, -0x1.fe8db606f68c9p-58},
    {0x1.c2649de272760p+0, -0x1.7fde909e4540ep-3, 0x1.b954700755369p-58},
    {0x1.3ed3cadeb77f4p+0, 0x1.4756903febd5bp-2, 0x1.93454ac39dfa6p-62},
    {0x1.0cba526d6dadcp+0, 0x1.fdc35f6557dc9p-2, -0x1.ee641db42223cp-59},
    {0x1.a964610b683c8p+0, -0x1.73c7907a5f396p-4, -0x1.6daf99ea7ac2fp-60},
    {-0x1.bf81bd814e0acp-1, 0x1.48919c6d76514p-1, -0x1.ecabed4d9ebdcp-56},
    {0x1.4f00c155ab5ccp+0, 0x1.096b075e94416p-2, -0x1.0394fa2c28c82p-56},
    {-0x1.670d4f54f1c37p+0, 0x1.56f3986b1f4d8p-3, -0x1.d6dcefd766639p-57},
    {-0x1.7740d635b63c0p-4, 0x1.fdda5372ab147p-1, -0x1.51a3cb2503ce1p-55},
    {0x1.b9f44a627ffa8p+0, -0x1.3d5bf25f2e822p-3, 0x1.7685535dd4de9p-57},
    {0x1.38be1d5f6f0c8p+0, 0x1.5e4e20215ce14p-2, 0x1.7c70c9ec8fb6bp-56},
    {-0x1.51c0b808d4724p+0, 0x1.fd8f14828422bp-3, 0x1.f08578298dd9ap-61},
    {0x1.6cfe1822d2d1ep+1, -0x1.ea9ba17d39193p-1, 0x1.6ee5bbd05721bp-55},
    {0x1.ea82e0492cbf0p-1, 0x1.2677d118d2f86p-1, 0x1.d11242ebd240bp-57},
    {0x1.084f34901b358p-1, 0x1.bd478fcaf6cf9p-1, -0x1.5e742c05a38e4p-55},
    {-0x1.901cf5cf6e68dp+1, -0x1.ffefd4004a284p-1, 0x1.fa411b4ebe21fp-56},
    {0x1.33f5a279d4380p-2, 0x1.e90519a510730p-1, -0x1.d5dfae2c97e0bp-55},
    {-0x1.98773bbd41324p+0, -0x1.95d6fd9933b4ep-6, 0x1.f0c67d476deb5p-60},
    {0x1.1938429e73618p+0, 0x1.d1d65ebb3fd43p-2, -0x1.d14712f392311p-56},
    {-0x1.e5c41e26c9620p-3, 0x1.f1aa3e191ffa4p-1, -0x1.6c60c3989aed7p-57},
    {0x1.036c8a333c5a2p+1, -0x1.c2e2e43a4ac49p-2, -0x1.bacf4f8544f09p-57},
    {0x1.e31f12ad85ad8p-1, 0x1.2c7b850a5ff2dp-1, 0x1.bd46fb35db974p-57},
    {0x1.e7a15eaf6cf88p+0, -0x1.4fb3a930cbb30p-2, 0x1.663a239d1c0fdp-56},
    {-0x1.2919bef8f2c5cp+18, 0x1.52703b1f8cb5ep-1, 0x1.fe131303aebe0p-58},
    {0x1.195f8957c6dd4p+18, -0x1.3a2fa2f78c4a1p-2, -0x1.84b30ff31c3bfp-57},
    {0x1.d081ad25bab2cp+18, 0x1.2d8d02f2d3f95p-2, -0x1.b1b873cb30d5ap-56},
    {0x1.407f2ac4aea82p+19, -0x1.4ad883332d41fp-2, 0x1.c08b732280d44p-58},
    {-0x1.24e16c9df22c6p+18, 0x1.88e57a0b39bc3p-1, -0x1.e970a1ec8af16p-57},
    {0x1.4ed7e594cbc82p+19, 0x1.f1c314e07686fp-1, -0x1.d71d06b083b5ep-55},
    {0x1.693dd02852dbcp+19, -0x1.adfc8cd4b1d9fp-1, -0x1.718f51e6d9ccap-55},
    {0x1.6fd87a7ac7810p+18, -0x1.fda2551eb16e2p-1, 0x1.dd745644985cbp-55},
    {0x1.d0f68c0d23958p+19, -0x1.9d65f38578dc4p-1, -0x1.fbc909d4665dep-56},
    {0x1.bdd11e86c81a0p+19, -0x1.0c2c75f606471p-2, 0x1.2e1af64c7ac64p-61},
    {0x1.1b6db8c7311a0p+15, 0x1.eff28d92dbbc7p-1, 0x1.ab0404f297abcp-55},
    {0x1.ca7052b5366a0p+15, 0x1.3a6ea8704d2ddp-4, 0x1.797fda09e4d73p-58},
    {-0x1.4600d87832168p+19, -0x1.e08c0269c23bcp-1, 0x1.5a2b318c6482fp-55},
    {0x1.48bb1201b3674p+19, -0x1.d7dad10642b09p-1, -0x1.02535343c419ap-56},
    {0x1.ab216c3baaf66p+19, 0x1.badb3d4c6e20ap-1, 0x1.a0bcde5733d49p-57},
    {-0x1.63a444bdeae70p+15, 0x1.cb86251e81db7p-1, -0x1.fde3b5662b81ap-58},
    {0x1.75e0cadc2b4b8p+18, -0x1.1cc9b4c07df98p-1, 0x1.4bbfe2b927702p-55},
    {0x1.ad133ceb14a4cp+18, -0x1.6ee4010abce24p-1, 0x1.c27be899c9c5fp-56},
    {0x1.c1e8b678fb960p+18, 0x1.22c943acc33afp-3, 0x1.febb566039dcep-57},
    {-0x1.407b4fb40d9c7p+19, 0x1.e91b50b37f09ap-3, -0x1.a7f8937463f6cp-61},
    {0x1.11cce834dd066p+19, 0x1.dac48971d2c90p-1, 0x1.6c2dfa2c1e9fdp-56},
    {0x1.3bcd4cdbece58p+17, 0x1.422a858b66206p-1, 0x1.857cb57dece48p-56},
    {0x1.435a1d55aef18p+18, 0x1.99d3de1665f02p-2, -0x1.26b0136c6facdp-56},
    {-0x1.3567f82d06bd4p+17, -0x1.b58840c450455p-2, -0x1.667778a2ead23p-57},
    {0x1.5798ee2308c3ap-27, 0x1.0000000000000p+0, -0x1.cd2b297d889bcp-55},
};
static const struct sample atan_samples[] = {
    {0x1.fad3bf1b3e0e0p-3, 0x1.f0d8473e87f2bp-3, 0x1.c99e1c91f99e0p-57},
    {0x1.194c336efe0e0p-1, 0x1.01393a1f6d1a2p-1, -0x1.bd871cd21fbf2p-56},
    {0x1.184d8d454cfe0p-2, 0x1.1199ca232a34cp-2, -0x1.79b3367b4e191p-58},
    {0x1.c368a9fefaf54p-2, 0x1.a92a7dfe9ab32p-2, -0x1.e783811b6bdf5p-57},
    {-0x1.e3b70de6f69dep-1, -0x1.839564037598cp-1, -0x1.fe408839c64f0p-56},
    {-0x1.5c22e9b4ef43ep-1, -0x1.31bd00f912657p-1, 0x1.928fca7441845p-55},
    {-0x1.e2c47d80f3520p-4, -0x1.e08ced77aba48p-4, -0x1.3ca11a3285d9fp-60},
    {0x1.3370932e45280p-2, 0x1.2aabf41d5d0f9p-2, -0x1.4bb57063a642bp-57},
    {-0x1.1fb4759ed92e8p-1, -0x1.061e83674c632p-1, -0x1.b066b09ae50e5p-58},
    {0x1.7cd7252e376b8p-2, 0x1.6c9bba2f8aad3p-2, -0x1.1d4c9518f1a2ep-59},
    {0x1.0c0308b7ed25cp-2, 0x1.0621c0f077a41p-2, 0x1.f8b2029158782p-56},
    {-0x1.d5223481bb676p-1, -0x1.7bc4b959ce183p-1, 0x1.a97a3068d63d1p-56},
    {-0x1.d18b0829739e0p-5, -0x1.d10afb79e4762p-5, -0x1.22f344b738eb6p-61},
    {-0x1.1853dc6ac8da2p-1, -0x1.007a50be7f81bp-1, -0x1.8d883a2470f7dp-55},
    {-0x1.c88ebc0dd92ccp-1, -0x1.74d906d4344a9p-1, 0x1.2d187ae2c2f15p-57},
    {-0x1.7744ba71d05c6p-1, -0x1.43d6a79452e35p-1, 0x1.fc62ba8725051p-60},
    {-0x1.7610c308326e0p-2, -0x1.66a4cf6091882p-2, 0x1.20c3d480ab907p-56},
    {-0x1.46187cc23822ep-1, -0x1.225ce0d3516cep-1, 0x1.668ae84347d9fp-55},
    {-0x1.39ffcf39d0a04p-1, -0x1.19aa3ae1158eap-1, -0x1.0f8930b82ab50p-58},
    {-0x1.db7c964ad13b4p-1, -0x1.7f3364bb1204dp-1, 0x1.91b855e9ab940p-57},
    {-0x1.1c03ea9879490p-4, -0x1.1b8fb99eac84fp-4, 0x1.cf616fbb61379p-58},
    {-0x1.ea4bc0acc9a80p-3, -0x1.e13d10f498fbap-3, 0x1.ae23dbc74c24bp-57},
    {0x1.c9e87424da2a8p-3, 0x1.c27f9f0f74915p-3, 0x1.7580b9cb3fa36p-57},
    {0x1.71503a68a2b18p-3, 0x1.6d62f579e9dd9p-3, -0x1.f58651ad31132p-60},
    {0x1.5a4ad12276756p-8, 0x1.5a49fdec08038p-8, 0x1.aba54612c9b86p-62},
    {0x1.8d1b4e572028fp+11, 0x1.920b142fdd917p+0, -0x1.d09a7540eebe4p-54},
    {0x1.81e84bfba950fp-15, 0x1.81e84bf718106p-15, 0x1.ad274a81f7b28p-69},
    {0x1.34a08dc2d5d3ep-3, 0x1.32527d8ea9635p-3, -0x1.e8fa6952ba230p-58},
    {0x1.86a21c4caeb59p-7, 0x1.869d5faaa3430p-7, 0x1.8a3e1d3bfd4aep-63},
    {0x1.52d1991725029p-3, 0x1.4fc7021e79c8cp-3, 0x1.9122ddfade575p-59},
    {0x1.db87f9306885ep-12, 0x1.db87f70d792e1p-12, 0x1.d1ea75ff542c2p-67},
    {0x1.79c2121e83304p+9, 0x1.91c8f6fbc3a64p+0, -0x1.677d7f3704854p-58},
    {0x1.48c531678ce5bp-4, 0x1.481123a5a9879p-4, -0x1.dc2ea1b1cfee1p-58},
    {0x1.87b19705e61bfp-14, 0x1.87b196f2cb8c9p-14, 0x1.42cdb25bb1308p-68},
    {0x1.36235b6c65cccp+3, 0x1.77cd8ef3131acp+0, -0x1.328edcce6b7edp-54},
    {0x1.3d2690d4223abp-12, 0x1.3d269031e1300p-12, 0x1.a067f091559f9p-70},
    {0x1.3c3913c248348p+1, 0x1.2fa95d441a079p+0, 0x1.363fa7acf750ap-61},
    {0x1.49c3c84e5831bp-5, 0x1.49963a65dad11p-5, 0x1.01af8248ccbb2p-59},
    {0x1.42ba33912c820p+2, 0x1.6001bc2ba9634p+0, 0x1.f596d56803118p-55},
    {0x1.2af308cfbb10ep+13, 0x1.9218db7f7dc6bp+0, 0x1.e8bc3f6d5135ep-54},
    {0x1.24284d9b50d2ap+9, 0x1.91af8caa6dadcp+0, -0x1.6d2adf085a7e6p-54},
    {0x1.961fa391d8ca0p-3, 0x1.90ec1ce22be36p-3, -0x1.8502472c68647p-58},
    {0x1.058e6e34a9f90p+9, 0x1.91a26d698a448p+0, 0x1.510b82a671af1p-54},
    {0x1.137b330239408p+4, 0x1.8345a30807c78p+0, -0x1.b13af4b0dda76p-54},
    {0x1.2cda464edd84dp-4, 0x1.2c5037c87cbfbp-4, 0x1.b6ccb2e7b57d8p-61},
    {0x1.98516593a95edp-11, 0x1.9851602aa5d9cp-11, 0x1.bc5df71907867p-65},
    {0x1.b3ff4b9a0afe9p+2, 0x1.6ccfe63e31b8cp+0, -0x1.49f28a981c019p-54},
    {0x1.cb13224980682p+1, 0x1.4c83704c3db22p+0, 0x1.7338aa3898294p-54},
    {0x1.19799812dea11p-40, 0x1.19799812dea11p-40, -0x1.c5b5b6ee6e898p-122},
};
static const struct sample acos_samples[] = {
    {0x1.d42f89997dfd2p-1, 0x1.aab6400c1a73ep-2, 0x1.b7353a9b25aaap-56},
    {0x1.df3a959105968p-1, 0x1.705b9f015bf33p-2, -0x1.f4ceb921f30c9p-59},
    {0x1.bcddba2e816d0p-3, 0x1.5a11986e06c4cp+0, -0x1.1193679ded2f2p-54},
    {-0x1.30ea0d2dc396cp-2, 0x1.df86c062ddb61p+0, 0x1.a61f5281534e0p-54},
    {0x1.92e90354b13a0p-1, 0x1.547739406aff4p-1, 0x1.c3c5fba3a6003p-55},
    {-0x1.ff079fcf1f6a0p-1, 0x1.8a3e1dee02f98p+1, -0x1.bb5271d6dace5p-53},
    {-0x1.917ddad644402p-1, 0x1.3c6f2ec573adcp+1, 0x1.9f03eb2a3fd80p-53},
    {0x1.0d90e5d53c5b8p-3, 0x1.70547ded78188p+0, 0x1.dc3d221290615p-54},
    {0x1.d7ba71142f548p-3, 0x1.569fa1d559076p+0, -0x1.fadf34c174e68p-54},
    {-0x1.6fec365657fd2p-1, 0x1.2fb0c4475bb9fp+1, -0x1.9bd15b2204846p-54},
    {0x1.092061e062488p-2, 0x1.4f14138f2b15fp+0, -0x1.099d3859c1fdcp-60},
    {0x1.90ac2bc83accep-1, 0x1.581373655c15dp-1, 0x1.d681cf946b8f7p-55},
    {-0x1.fc867d243fc80p-3, 0x1.d25c8d41a8368p+0, -0x1.5d1b4a46dd6f2p-55},
    {-0x1.17d2bc0bf08b0p-3, 0x1.b53625ab06b3ap+0, 0x1.8460f3d476b78p-57},
    {-0x1.183b6940d7ef4p-1, 0x1.13320c91f646bp+1, 0x1.a6c0aa9e92f27p-58},
    {-0x1.ab04e3853a968p-2, 0x1.001f24753a49dp+1, 0x1.9375d5a025a56p-53},
    {0x1.e3cb255aa986cp-1, 0x1.557b88e039461p-2, -0x1.5cc901ee73c9ep-56},
    {-0x1.ec6b3f3b72918p-3, 0x1.d04907b2fa903p+0, -0x1.10afd05c1a1dbp-55},
    {0x1.d834d8ed6f7a6p-1, 0x1.96632adacb256p-2, -0x1.958bc1f4aa98ap-56},
    {0x1.a7ad5d145b024p-1, 0x1.313ca27576f2fp-1, -0x1.93eda22237271p-58},
    {0x1.88700b301a478p-3, 0x1.60c38d963bd02p+0, 0x1.12f555c561408p-56},
    {-0x1.ebe10d424c1b4p-2, 0x1.0932688254723p+1, 0x1.f15b543148d01p-54},
    {0x1.ec862b2680b3ep-1, 0x1.1b5841387e2d3p-2, -0x1.5ec0aa106f501p-61},
    {-0x1.e43eafee7f500p-8, 0x1.9403f514fa446p+0, -0x1.545509aa53aefp-55},
    {0x1.ffffde7210be9p-1, 0x1.72ba46065af16p-10, -0x1.2223d13cea1f2p-64},
    {-0x1.ffffde7210be9p-1, 0x1.91f15dfb82062p+1, 0x1.8f86a7ab6d5dbp-53},
};
static const struct sample asin_samples[] = {
    {-0x1.5a255bf5eda48p-3, -0x1.5bd0c6194fe42p-3, -0x1.69c69024e5f4bp-62},
    {-0x1.7260260e08f14p-2, -0x1.7af7a018377cep-2, 0x1.ee3e04a280f2cp-57},
    {0x1.efe62ea75bc7ep-1, 0x1.51c0c67bff759p+0, 0x1.0601e83788ae1p-54},
    {-0x1.0e2e712095e80p-6, -0x1.0e3193be8a8d8p-6, -0x1.4ff76127ab6fap-60},
    {-0x1.b574c7db51410p-2, -0x1.c3fdaa21d61b5p-2, -0x1.a987850374beep-56},
    {-0x1.79e2afcf4f180p-5, -0x1.7a0506f5703e0p-5, -0x1.99106c3f300dep-63},
    {-0x1.8330502b83312p-1, -0x1.b70e05400efa7p-1, 0x1.1735c96ab7a91p-55},
    {0x1.f26dabebf2080p-3, 0x1.f77c17746819cp-3, -0x1.871055a490b7ap-58},
    {-0x1.cf1cf7049b920p-4, -0x1.d01b06fdbae69p-4, 0x1.d1559754f2f2cp-59},
    {-0x1.a7b98ff5c419cp-2, -0x1.b4db34747cde6p-2, -0x1.efc371c9b53d6p-58},
    {0x1.20779d9176df8p-1, 0x1.326ffb4678c16p-1, 0x1.ed1b6bcb403c0p-55},
    {0x1.4ea60cb239cc4p-1, 0x1.6cb887ed41c39p-1, 0x1.95dff8b7b5a16p-55},
    {-0x1.f27ad5c285a44p-1, -0x1.572975ee29573p+0, 0x1.2a976c8a16db1p-54},
    {0x1.0ac5063dc3510p-4, 0x1.0af565e0e6b5cp-4, 0x1.41719c3226d93p-58},
    {-0x1.cf486fc1abd64p-2, -0x1.e0bfff6fb41bdp-2, -0x1.056fad0c70e01p-57},
    {0x1.bdb2ff3cb5244p-1, 0x1.0e6517aed430ep+0, -0x1.1e61914265923p-54},
    {0x1.20ac4a84b4a5ep-1, 0x1.32afc01e3e53ap-1, 0x1.05fbed0d28325p-55},
    {-0x1.0471a84143c98p-1, -0x1.113aa323acdc3p-1, 0x1.35437bb9fd2dep-56},
    {-0x1.dbc62027f5410p-2, -0x1.eece4931cd348p-2, 0x1.eaf1e7dda1c9ap-56},
    {-0x1.61851ca3a7522p-1, -0x1.8636cad6b7d01p-1, 0x1.afe3fb7ce1cc7p-56},
    {0x1.f48e982492c16p-1, 0x1.5be6081523991p+0, -0x1.b41775353abefp-55},
    {-0x1.a78cea81fafd4p-2, -0x1.b4aa2a43b1705p-2, -0x1.aeabcdcb64a66p-56},
    {0x1.ba859ffc26c50p-3, 0x1.be0a33162de3ap-3, 0x1.79f3c7dfaa5cbp-58},
    {-0x1.9fa383daaff80p-5, -0x1.9fd1383eee648p-5, 0x1.82e925d8581b8p-61},
    {0x1.ffffde7210be9p-1, 0x1.91c306b2c13adp+0, -0x1.fb5513da6b051p-54},
    {0x1.ad7f29abcaf48p-24, 0x1.ad7f29abcaf55p-24, -0x1.a0ca8fd90c438p-78},
};
/* clang-format on */

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The largest error in ulp of the result. */
static double worst_ulp(double (*f)(double), const struct sample *samples, size_t count) {
    double worst = 0.0;
    for (size_t i = 0; i < count; ++i) {
        double value = samples[i].value, ulp = nextafter(fabs(value), INFINITY) - fabs(value);
        double error = fabs((f(samples[i].x) - value) - samples[i].rest) / ulp;
        if (!(error <= worst)) worst = error;
    }
    return worst;
}

static double worst_absolute(double (*f)(double), const struct sample *samples, size_t count) {
    double worst = 0.0;
    for (size_t i = 0; i < count; ++i) {
        double error = fabs((f(samples[i].x) - samples[i].value) - samples[i].rest);
        if (!(error <= worst)) worst = error;
    }
    return worst;
}

static double atan_of_ratio(double x) {
    return math_atan2(x, 1.0);
}

static double atan_of_scaled_ratio(double x) {
    return math_atan2(3e200 * x, 3e200);
}

static void double_functions_keep_their_stated_errors(void) {
    CHECK(worst_ulp(math_exp, exp_samples, COUNT(exp_samples)) <= 1.0);
    CHECK(worst_ulp(math_log, log_samples, COUNT(log_samples)) <= 1.0);
    CHECK(worst_absolute(math_sin, sin_samples, COUNT(sin_samples)) <= 0x1p-52);
    CHECK(worst_absolute(math_cos, cos_samples, COUNT(cos_samples)) <= 0x1p-52);
    CHECK(worst_ulp(atan_of_ratio, atan_samples, COUNT(atan_samples)) <= 2.0);
    CHECK(worst_ulp(atan_of_scaled_ratio, atan_samples, COUNT(atan_samples)) <= 3.0);
    CHECK(worst_absolute(math_acos, acos_samples, COUNT(acos_samples)) <= 3 * 0x1p-52);
    CHECK(worst_absolute(math_asin, asin_samples, COUNT(asin_samples)) <= 3 * 0x1p-52);
}

static void special_arguments_give_what_the_header_says(void) {
    CHECK(math_exp(0.0) == 1.0);
    CHECK(math_exp(-746.0) == 0.0 && isinf(math_exp(710.0)));
    CHECK(math_exp(-744.0) > 0.0);
    CHECK(isnan(math_exp(NAN)) && math_exp(-INFINITY) == 0.0);
    CHECK(math_log(1.0) == 0.0 && isinf(math_log(0.0)) && isnan(math_log(-1.0)));
    CHECK(math_pow(0.0, 0.1) == 0.0 && math_pow(5.0, 0.0) == 1.0 && isnan(math_pow(-1.0, 2.0)));
    CHECK(math_sin(0.0) == 0.0 && math_cos(0.0) == 1.0);
    CHECK(isnan(math_sin(1.1e6)) && isnan(math_cos(INFINITY)) && isnan(math_sin(NAN)));
    CHECK(math_atan2(0.0, 0.0) == 0.0 && isnan(math_atan2(INFINITY, 1.0)) && isnan(math_atan2(1.0, NAN)));
    CHECK(isnan(math_acos(1.5)) && isnan(math_asin(-1.5)));
    CHECK(math_acos(1.0) == 0.0 && math_asin(0.0) == 0.0);
}

static void pow_takes_roots_as_stiffness_needs_them(void) {
    /* |y·ln x| < 7 here, so the relative error is below 2⁻⁵²·9. */
    for (int n = 1; n <= 200; ++n) {
        double root = math_pow(0.7, 1.0 / n), back = 1.0;
        for (int i = 0; i < n; ++i)
            back *= root;
        CHECK_NEAR(back, 0.7, 0.7 * n * 10 * 0x1p-52);
    }
    CHECK_NEAR(math_pow(2.0, 10.0), 1024.0, 1024.0 * 9 * 0x1p-52);
}

static void atan2_knows_all_quadrants(void) {
    for (int i = -180; i <= 180; ++i) {
        double angle = i * 3.14159265358979323846 / 180.0;
        double x = math_cos(angle), y = math_sin(angle);
        /* The pair itself is 2⁻⁵² off on the circle; ±π are one direction. */
        double got = math_atan2(y, x), wrapped = fabs(got - angle) > 6.0 ? -got : got;
        CHECK_NEAR(wrapped, angle, 8 * 0x1p-52);
    }
}

static void float_versions_are_the_rounded_double_ones(void) {
    for (int i = -50; i <= 50; ++i) {
        float x = (float)i * 0.13f;
        CHECK(math_expf(x) == (float)math_exp((double)x));
        CHECK(math_sinf(x) == (float)math_sin((double)x));
        CHECK(math_cosf(x) == (float)math_cos((double)x));
        CHECK(math_logf(math_expf(x)) == (float)math_log((double)math_expf(x)));
        CHECK(math_asinf((float)i * 0.02f) == (float)math_asin((double)((float)i * 0.02f)));
        CHECK(math_acosf((float)i * 0.02f) == (float)math_acos((double)((float)i * 0.02f)));
        CHECK(math_powf(1.5f, x) == (float)math_pow(1.5, (double)x));
    }
}

static void float_atan2_stays_within_three_ulp(void) {
    double worst = 0.0;
    for (int i = 0; i < 40000; ++i) {
        double angle = (i - 20000) * (3.1415926 / 20000.0), radius = math_exp((i % 60) - 30.0);
        float x = (float)(radius * math_cos(angle)), y = (float)(radius * math_sin(angle));
        double want = math_atan2((double)y, (double)x);
        float near = fabsf((float)want);
        double ulp = (double)(nextafterf(near, INFINITY) - near);
        double error = fabs((double)math_atan2f(y, x) - want) / ulp;
        if (!(error <= worst)) worst = error;
    }
    CHECK(worst <= 3.0);
}

static void float_atan2_is_exact_where_flat(void) {
    CHECK(math_atan2f(0.0f, 1e-30f) == 0.0f);
    CHECK(math_atan2f(0.0f, 0.0f) == 0.0f);
    CHECK(math_atan2f(0.0f, -2.0f) == 3.1415927f);
    CHECK(math_atan2f(1.0f, 0.0f) == 1.5707964f);
    for (int i = 1; i < 100; ++i) {
        float y = (float)i * 1e-3f;
        CHECK(math_atan2f(-y, 0.7f) == -math_atan2f(y, 0.7f));
    }
}

static void minimum_maximum_and_clamp_have_one_meaning_for_nan(void) {
    CHECK(math_minf(1.0f, 2.0f) == 1.0f && math_maxf(1.0f, 2.0f) == 2.0f);
    CHECK(math_minf(NAN, 2.0f) == 2.0f && isnan(math_minf(2.0f, NAN)));
    CHECK(math_clampf(NAN, 1.0f, 2.0f) == 1.0f);
    CHECK(math_clampf(5.0f, 1.0f, 2.0f) == 2.0f && math_clampf(-5.0f, 1.0f, 2.0f) == 1.0f);
    CHECK(math_minu(3, 4) == 3 && math_maxu(3, 4) == 4);
    CHECK(math_sqrtf(2.25f) == 1.5f && math_sqrt(2.25) == 1.5 && math_absf(-1.0f) == 1.0f);
}

RUN_TESTS(TEST(double_functions_keep_their_stated_errors), TEST(special_arguments_give_what_the_header_says),
          TEST(pow_takes_roots_as_stiffness_needs_them), TEST(atan2_knows_all_quadrants),
          TEST(float_versions_are_the_rounded_double_ones), TEST(float_atan2_stays_within_three_ulp),
          TEST(float_atan2_is_exact_where_flat), TEST(minimum_maximum_and_clamp_have_one_meaning_for_nan))
