/** Between two tabs; the active one is written bolder than it was when it was measured. Pixels. */
const GAP = 18
const BOLDER = 6
/** Of the button with the rest. */
const MORE = 36

/**
 * Which of several tabs have room beside each other, by their places; null for all of them. The active one always has.
 *
 * @param widths, room in pixels
 */
export function fittingTabs(widths: readonly number[], room: number, active: number): readonly number[] | null {
  const needed = (places: readonly number[]): number =>
    places.reduce((sum, place) => sum + (widths[place] ?? 0) + GAP, BOLDER - GAP)
  const all = widths.map((_, place) => place)
  if (needed(all) <= room) return null
  const shown = all.filter((place) => place === active)
  for (const place of all) {
    if (place === active) continue
    if (needed([...shown, place]) + GAP + MORE > room) break
    shown.push(place)
  }
  return shown.toSorted((one, other) => one - other)
}
