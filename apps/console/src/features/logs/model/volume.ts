/** `×14`, `+2%`, `−30%`: a number against the one before; null when there is nothing to compare, or no difference. */
export function changeText(now: number, before: number): string | null {
  if (before === 0 || now === before) return null
  const ratio = now / before
  if (ratio >= 2) return `×${ratio >= 10 ? Math.round(ratio) : Math.round(ratio * 10) / 10}`
  const percent = Math.round((ratio - 1) * 100)
  if (percent === 0) return null
  return percent > 0 ? `+${percent}%` : `−${-percent}%`
}
