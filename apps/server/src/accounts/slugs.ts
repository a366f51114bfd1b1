const SLUG_MAX_CHARACTERS = 50

/** `"Müller & Söhne GmbH"` → `muller-sohne-gmbh`; the fallback when nothing is left, or digits alone (those are ids). */
export const slugify = (name: string, fallback: string): string => {
  const slug = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replaceAll(/^[-_]+/g, '')
    .slice(0, SLUG_MAX_CHARACTERS)
    .replaceAll(/-+$/g, '')
  if (slug === '') return fallback
  return /^[0-9]+$/.test(slug) ? `${fallback}-${slug}`.slice(0, SLUG_MAX_CHARACTERS) : slug
}

/** The slug itself, or with the lowest number behind it that is free. */
export const freeSlug = async (slug: string, isTaken: (slug: string) => Promise<boolean>): Promise<string> => {
  if (!(await isTaken(slug))) return slug
  for (let number = 2; ; number += 1) {
    const suffix = `-${number}`
    const candidate = `${slug.slice(0, SLUG_MAX_CHARACTERS - suffix.length)}${suffix}`
    if (!(await isTaken(candidate))) return candidate
  }
}
