import { expect, it } from 'vitest'
import { exactNames } from './exact-names.ts'

it.each([
  ['', []],
  [' ', []],
  [' lonely@x.example ', ['email:lonely@x.example', 'id:lonely@x.example']],
  ['4127', ['id:4127', 'username:4127']],
  ['marta', ['id:marta', 'username:marta']],
  ['Marta Featherstone', ['id:Marta Featherstone', 'username:Marta Featherstone']],
  ['10.0.0.7', ['ip:10.0.0.7', 'id:10.0.0.7']],
  ['2001:db8::7', ['ip:2001:db8::7', 'id:2001:db8::7']],
  ['id:7', ['id:7']],
  ['ip:::1', ['ip:::1']],
  ['email:', ['id:email:', 'username:email:']],
])('%j is a whole name of %j', (text, names) => {
  expect(exactNames(text)).toEqual(names)
})
