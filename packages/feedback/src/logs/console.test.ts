import { expect, it } from 'vitest'
import { jsonOf } from './console.ts'

it('says the beginning of what has many entries, and reads no more of it', () => {
  expect(jsonOf(Array.from({ length: 1_000_000 }, () => 1)).length).toBeLessThan(200)
  const readNames: string[] = []
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`n${index}`, index]))
  const watched = new Proxy(many, {
    get: (target, name) => {
      readNames.push(String(name))
      return Reflect.get(target, name) as unknown
    },
  })
  expect(Object.keys(JSON.parse(jsonOf({ many: watched })) as object)).toEqual(['many'])
  expect(readNames.length).toBeLessThan(100)
  expect(jsonOf({ bytes: new Uint8Array(1_000_000) })).toBe('{"bytes":["[object Uint8Array]"]}')
})

it('says no value of a secret name', () => {
  expect(jsonOf({ user: { password: 'hunter2', pin: 1234, name: 'Ada' }, accessKey: ['a'] })).toBe(
    '{"user":{"password":"[Filtered]","pin":"[Filtered]","name":"Ada"},"accessKey":"[Filtered]"}',
  )
})
