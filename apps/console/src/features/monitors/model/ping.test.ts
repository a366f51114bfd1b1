import { expect, it } from 'vitest'
import { pingLine } from './ping.ts'

it('A67: one line of a shell has the address of the project, also below a path', () => {
  expect(pingLine('https://abc@errors.example/7', 'nightly', '0 3 * * *')).toBe(
    'curl -fsS --retry 3 "https://errors.example/api/7/cron/nightly/abc?status=ok&schedule=0+3+*+*+*"',
  )
  expect(pingLine('https://abc@example.com/errors/7', 'n', '@daily')).toContain(
    'https://example.com/errors/api/7/cron/n/abc?',
  )
})
