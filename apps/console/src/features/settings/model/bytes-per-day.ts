const GIGABYTE = 1_000_000_000
const LEAST = 1_000_000
const MOST = 2 ** 50

/** Reads a number of gigabytes as typed. Nothing is the default of the installation. */
export function readBytesPerDay(text: string): { readonly bytes: number | null } | { readonly error: string } {
  const trimmed = text.trim().replace(',', '.')
  if (trimmed === '') return { bytes: null }
  const bytes = Math.round(Number(trimmed) * GIGABYTE)
  return bytes >= LEAST && bytes <= MOST
    ? { bytes }
    : { error: 'Enter a number of gigabytes, at least 0.001, or leave it empty for the default.' }
}

/** As the form shows it. */
export function writeBytesPerDay(bytes: number | null): string {
  return bytes === null ? '' : String(bytes / GIGABYTE)
}
