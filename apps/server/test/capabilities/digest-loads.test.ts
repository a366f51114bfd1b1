import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const SOURCE = join(import.meta.dirname, '..', '..', 'src')

/** Names what is loaded by a program that begins as the digest's thread does. */
const PROGRAM = `
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
  await import(${JSON.stringify(join(SOURCE, 'compose-digest.ts'))})
  const { CAPABILITIES } = await import(${JSON.stringify(join(SOURCE, 'capabilities.ts'))})
  const parts = { writer: {}, ledger: {}, clock: {}, blobs: {}, keyFor: () => new Uint8Array(32), logger: {} }
  for (const { digest } of CAPABILITIES) await digest?.(parts)
  console.log(JSON.stringify(loaded))
`

it('the digest’s thread loads neither HTTP nor the contract, which are megabytes that it never needs', () => {
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', PROGRAM], { encoding: 'utf8' })
  const loaded = JSON.parse(output) as string[]
  expect(loaded.filter((url) => url.endsWith('/compose-digest.ts'))).toHaveLength(1)
  expect(loaded.filter((url) => /\/src\/http\/|\/node_modules\/(?:hono|zod)\//.test(url))).toEqual([])
})
