/** Names of a CODEOWNERS file and whom they mean, one a line: `@acme/web #web`. */

export const namesText = (names: Readonly<Record<string, string>>): string =>
  Object.entries(names)
    .map(([name, meant]) => `${name} ${meant}`)
    .join('\n')

/** What the lines say, or what is wrong with the first that says nothing. */
export const readNames = (
  text: string,
): { readonly names: Readonly<Record<string, string>> } | { readonly error: string } => {
  const names: Record<string, string> = {}
  for (const line of text.split('\n')) {
    const [name, meant, ...rest] = line.trim().split(/\s+/)
    if (name === undefined || name === '') continue
    if (!name.startsWith('@') || meant === undefined || rest.length > 0) {
      return { error: `"${line.trim()}" is not understood. Write a name of the file and whom it means: @acme/web #web` }
    }
    names[name] = meant
  }
  return { names }
}
