import { encode, type SourceMapMappings } from '@jridgewell/sourcemap-codec'
import { expect, it } from 'vitest'
import { lineAddedByUpload, withoutLine } from './added-line.ts'
import { functionsOf } from './function-names.ts'
import { prepareMap, PreparedMap } from './prepared-map.ts'
import { readSourceMap } from './source-map.ts'

const ID = 'bc085d2b-0239-42cb-a00a-142dc17ed3ba'
const URL = `~/${ID}-0.js.map`

/** As `sentry` 0.49 writes it into the copy that @sentry/bundler-plugins 11.12 hands to it. */
const ADDED = `;!function(){try{var e="undefined"!=typeof window?window:"undefined"!=typeof global?global:"undefined"!=typeof globalThis?globalThis:"undefined"!=typeof self?self:{},n=(new e.Error).stack;n&&(e._sentryDebugIds=e._sentryDebugIds||{},e._sentryDebugIds[n]="${ID}",e._sentryDebugIdIdentifier="sentry-dbid-${ID}")}catch(e){}}();`

/** As Vite 8 leaves what the plugin put there, with a program behind it. */
const RUNNING = `(function(){try{var e=typeof globalThis<\`u\`?globalThis:self,t=new e.Error().stack;t&&(e._sentryDebugIds[t]=\`${ID}\`,e._sentryDebugIdIdentifier=\`sentry-dbid-${ID}\`)}catch{}})();
function a(e){throw new RangeError(e)}a(1);
`

/** The program is the second line of what runs. */
const mappingsAt = (line: number): string => {
  const program: SourceMapMappings[number] = [
    [0, 0, 4, 0],
    [9, 0, 4, 9, 0],
    [14, 0, 5, 2],
    [38, 0, 8, 0],
  ]
  return encode([...Array.from({ length: line }, () => []), program])
}

const read = (mappings: string) => {
  const map = readSourceMap(JSON.stringify({ version: 3, sources: ['src/pay.ts'], names: ['pay'], mappings }))
  if (!map.ok) throw new Error(map.error)
  return map.value
}

it('finds the line that only uploading put before code which has its debug id already', () => {
  expect(lineAddedByUpload(`${ADDED}\n${RUNNING}`, URL)).toBe(0)
  expect(lineAddedByUpload(`"use strict";\n${ADDED}\r\n${RUNNING}`, URL)).toBe(1)
})

it.each([
  ['what runs has the same line', `${ADDED}\nfunction a(){}`, URL],
  ['the copy is of another name, as somebody uploads what runs', `${ADDED}\n${RUNNING}`, '~/assets/index.js.map'],
  ['the line is of another debug id', `${ADDED.replaceAll(ID, ID.replace('b', 'c'))}\n${RUNNING}`, URL],
  ['the line does more', `${ADDED}pay()\n${RUNNING}`, URL],
  ['nothing was added', RUNNING, URL],
])('leaves code as it is where %s', (_, code, url) => {
  expect(lineAddedByUpload(code, url)).toBeNull()
})

it('leaves a map, and the functions of its code, as they are of what runs', () => {
  const uploaded = `${ADDED}\n${RUNNING}`
  const map = read(mappingsAt(2))
  const running = read(mappingsAt(1))
  const made = withoutLine(map, functionsOf(map, uploaded), 0)
  const [found, expected] = [
    PreparedMap.of(prepareMap(made.map, made.functions)),
    PreparedMap.of(prepareMap(running, functionsOf(running, RUNNING))),
  ]
  for (const column of [0, 9, 14, 20, 38, 40]) {
    expect(found?.find(1, column)).toEqual(expected?.find(1, column))
    expect(found?.functionAt(1, column)).toEqual(expected?.functionAt(1, column))
  }
  expect(found?.find(1, 20)).toMatchObject({ line: 5, column: 2 })
  expect(found?.functionAt(1, 20)).toBe('pay')
  expect(found?.find(2, 20)).toBeNull()
})
