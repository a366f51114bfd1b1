/** `shop-web@2.4.0` → `2.4.0`; a commit hash keeps its first seven characters. */
export function shortVersion(version: string): string {
  const name = version.includes('@') ? version.slice(version.lastIndexOf('@') + 1) : version
  return /^[0-9a-f]{12,64}$/i.test(name) ? name.slice(0, 7) : name
}
