# gcc 12's basic-block vectoriser takes (double)(float)x for x when it makes vectors of
# such conversions (contact.c stores a float32 and goes on with what was stored), so its
# results differ from those of -O0 and of clang. Loops are vectorised by another pass.
# scene/ places vertices with the same kind of arithmetic.
target_compile_options(clothd_pbd PRIVATE -fno-tree-slp-vectorize)
target_compile_options(clothd_scene PRIVATE -fno-tree-slp-vectorize)

# Kernel sources are built once per instruction-set level, from the same text with the
# same floating-point rules: no -mfma, no fast-math, contraction off (clothd_flags). The
# baseline copy is part of the library's own sources. Which level runs is decided when a
# world is created (solve/kernels.c), so the binary needs no particular CPU.
file(GLOB kernel_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/server/pbd/src/solve/*_kernel.c)
# -O1 in debug builds too: a sheet should still move in real time there.
# Traps are never enabled, and assuming so changes no value; it lets selects become blends.
set_source_files_properties(${kernel_sources} PROPERTIES
  COMPILE_OPTIONS "$<IF:$<CONFIG:Debug>,-O1,-O3>;-fno-trapping-math;-fno-tree-slp-vectorize")

# A sanitizer's checks keep clang from vectorising; that is no error there.
if(CLOTHD_SANITIZE AND CMAKE_C_COMPILER_ID MATCHES "Clang")
  set_property(SOURCE ${kernel_sources} APPEND PROPERTY COMPILE_OPTIONS -Wno-pass-failed)
endif()

function(clothd_kernel_level level)
  add_library(clothd_kernels_${level} OBJECT ${kernel_sources})
  target_compile_definitions(clothd_kernels_${level} PRIVATE KERNEL_LEVEL=${level})
  target_compile_options(clothd_kernels_${level} PRIVATE ${ARGN})
  target_include_directories(clothd_kernels_${level} PRIVATE
    ${PROJECT_SOURCE_DIR}/server/pbd/src ${PROJECT_SOURCE_DIR}/server/pbd/include)
  target_link_libraries(clothd_kernels_${level} PRIVATE clothd_flags)
  target_sources(clothd_pbd PRIVATE $<TARGET_OBJECTS:clothd_kernels_${level}>)
endfunction()

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  target_compile_definitions(clothd_pbd PRIVATE KERNELS_X86)
  clothd_kernel_level(avx2 -mavx2)
  clothd_kernel_level(avx512 -mavx512f -mavx512vl -mavx512dq -mavx512bw -mprefer-vector-width=512)
endif()
