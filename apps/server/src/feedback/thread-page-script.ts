import { createHash } from 'node:crypto'

/** All that runs on the page: its times, which are written in UTC, by the clock of the reporter. Without it they stay so. */
export const THREAD_PAGE_SCRIPT = `for (const time of document.querySelectorAll('time')) {
  const words = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' })
  time.textContent = words.format(new Date(time.dateTime))
}`

export const THREAD_PAGE_SCRIPT_HASH = `sha256-${createHash('sha256').update(THREAD_PAGE_SCRIPT).digest('base64')}`
