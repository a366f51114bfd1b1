import { expect, it } from 'vitest'
import { namesText, readNames } from './names.ts'

it('names are written one a line, and read back', () => {
  const names = { '@acme/web': '#web', '@anna': 'anna@acme.example' }
  expect(readNames(`\n${namesText(names)}  \n`)).toEqual({ names })
})

it.each(['anna anna@acme.example', '@anna', '@anna a b'])('%s is not understood', (line) => {
  expect(readNames(line)).toEqual({
    error: `"${line}" is not understood. Write a name of the file and whom it means: @acme/web #web`,
  })
})
