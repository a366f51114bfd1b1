import { describe, expect, it } from 'vitest'
import { THREAD_PAGE_SCRIPT } from './thread-page-script.ts'

describe('the script of the private page', () => {
  it('tells the times by the clock of the reporter, in the language of the page', () => {
    const times = [
      { dateTime: '2026-11-22T18:46:00.000Z', textContent: '22.11.2026, 18:46 UTC' },
      { dateTime: '2026-07-01T00:00:00.000Z', textContent: '' },
    ]
    // oxlint-disable-next-line typescript/no-implied-eval -- the page runs it so
    new Function('document', THREAD_PAGE_SCRIPT)({
      querySelectorAll: () => times,
      documentElement: { lang: 'de' },
    })
    const local = (text: string): string =>
      new Intl.DateTimeFormat('de', { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(text))
    expect(times.map(({ textContent }) => textContent)).toEqual(times.map(({ dateTime }) => local(dateTime)))
  })
})
