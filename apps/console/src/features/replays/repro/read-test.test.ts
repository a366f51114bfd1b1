import { describe, expect, it } from 'vitest'
import { readTestLines } from './read-test.ts'

const SOURCE = `// - 0:02 what was typed is masked
import { expect, test } from '@playwright/test'

test('TypeError: x', async ({ page }) => {
  const replay = await record(page)
  await page.goto('/') // 0:00
  await page.getByLabel('Voucher // 0:99').fill('Stand-in') // 0:02, masked: put in a real value, or page.locator('#v')
  await test.step('the recorded error does not come again', async () => { // 0:09
    expect(await replay.errors()).toEqual([])
  })
})

const ANSWERS = new Map()
`

describe('an exported test is shown', () => {
  const error = { eventId: 'e', title: 'TypeError: x', at: 9000 }
  const steps = [
    { line: 6, at: 0, code: "  await page.goto('/')", masked: false },
    { line: 7, at: 2000, code: "  await page.getByLabel('Voucher // 0:99').fill('Stand-in')", masked: true },
    {
      line: 8,
      at: 9000,
      code: "  await test.step('the recorded error does not come again', async () => {",
      masked: false,
    },
  ]

  it('without its surroundings, its moments beside the lines, what is masked and the assertion marked', () => {
    expect(readTestLines({ source: SOURCE, steps, error })).toEqual([
      { text: "test('TypeError: x', async ({ page }) => {", at: null, kind: 'plain' },
      { text: '  const replay = await record(page)', at: null, kind: 'plain' },
      { text: "  await page.goto('/')", at: 0, kind: 'plain' },
      { text: "  await page.getByLabel('Voucher // 0:99').fill('Stand-in')", at: 2000, kind: 'masked' },
      { text: "  await test.step('the recorded error does not come again', async () => {", at: 9000, kind: 'error' },
      { text: '    expect(await replay.errors()).toEqual([])', at: null, kind: 'error' },
      { text: '  })', at: null, kind: 'error' },
      { text: '})', at: null, kind: 'plain' },
    ])
  })
})
