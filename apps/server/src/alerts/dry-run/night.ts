/** Hours in which a message wakes somebody. */
const NIGHT_BEGINS = 22
const NIGHT_ENDS = 6

/** The hour of a moment in a zone, 0 to 23. */
export const hourIn = (timezone: string) => {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, hour: '2-digit', hourCycle: 'h23' })
  return (at: number): number => Number(format.format(at))
}

export const isNight = (hour: number): boolean => hour >= NIGHT_BEGINS || hour < NIGHT_ENDS
