import { expect, it } from 'vitest'
import { keyCaps, keyOf } from './shortcuts.ts'

const none = { metaKey: false, ctrlKey: false, shiftKey: false, altKey: false }

it.each([
  [{ ...none, key: 'j' }, 'j'],
  [{ ...none, key: '?', shiftKey: true }, '?'],
  [{ ...none, key: 'X', shiftKey: true }, 'shift+x'],
  [{ ...none, key: 'k', metaKey: true }, 'mod+k'],
  [{ ...none, key: 'k', ctrlKey: true }, 'mod+k'],
  [{ ...none, key: 'ArrowDown', shiftKey: true }, 'shift+ArrowDown'],
  [{ ...none, key: 'Escape' }, 'Escape'],
])('%o is %s', (event, expected) => {
  expect(keyOf(event)).toBe(expected)
})

it('a shortcut is as many caps as one presses, the space bar among them', () => {
  expect(keyCaps('g i')).toEqual(['g', 'i'])
  expect(keyCaps(' ')).toEqual(['Space'])
  expect(keyCaps('shift+ArrowRight')).toEqual(['⇧→'])
})
