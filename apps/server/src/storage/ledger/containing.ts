/** Pattern of `like`, in lower case. `%`, `_` and `\` stand for themselves; used with `escape '\'`. */
export const containing = (text: string): string => `%${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`
