/** With hyphens, and an age behind it, as Sentry's programs write it. */
export const debugIdText = (plain: string): string => {
  const id = plain.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5')
  return plain.length > 32 ? `${id.slice(0, 36)}-${id.slice(36)}` : id
}
