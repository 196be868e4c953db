/** Compilers that engines start; while one runs, a quiet log means nothing. */
export const isCompiler = (name: string): boolean => compilers.test(name);

const compilers =
  /^(?:nvcc|cicc|ptxas|nvlink|fatbinary|cudafe|cc1plus|cc1|c\+\+|g\+\+|gcc|ninja|hipcc|clang|ld$|ld\.|collect2|as$)/;
