# SPDX-License-Identifier: MIT
# The table of symbols of a program as it was linked, for `kane export c` of a stripped one (symbols.c): 64 bytes, then an ELF file without
# contents. The 64 bytes keep tools that strip whatever is an ELF file off it.
#
#   cmake -DOBJCOPY=FILE -DPROGRAM=FILE -DOUTPUT=FILE -P symbols.cmake
execute_process(COMMAND ${OBJCOPY} --strip-debug --keep-file-symbols ${PROGRAM} ${OUTPUT}.linked COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${OBJCOPY} --only-keep-debug ${OUTPUT}.linked ${OUTPUT}.elf COMMAND_ERROR_IS_FATAL ANY)
file(WRITE ${OUTPUT}.head "kane symbols 1\nnames of functions of bin/kane for kane export c\n")
execute_process(COMMAND ${CMAKE_COMMAND} -E cat ${OUTPUT}.head ${OUTPUT}.elf OUTPUT_FILE ${OUTPUT} COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE ${OUTPUT}.linked ${OUTPUT}.head ${OUTPUT}.elf)
