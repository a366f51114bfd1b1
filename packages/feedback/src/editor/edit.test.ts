import { describe, expect, it } from 'vitest'
import { History, markByKeyboard, markThrough, untouched, withMark, withoutMark } from './edit.ts'

describe('edits', () => {
  it('undo and redo walk over the same values', () => {
    const history = new History(1)
    history.push(2)
    history.push(3)
    history.undo()
    history.undo()
    expect([history.now, history.canUndo, history.canRedo]).toEqual([1, false, true])
    history.redo()
    expect(history.now).toBe(2)
    history.push(9)
    expect(history.canRedo).toBe(false)
  })

  it('a drag of many moves is one step', () => {
    const history = new History(0)
    for (const at of [1, 2, 3]) history.push(at, 'drag')
    history.seal()
    history.push(4, 'drag')
    history.undo()
    expect(history.now).toBe(3)
    history.undo()
    expect(history.now).toBe(0)
  })

  it('a stroke keeps its points when its box moves', () => {
    const mark = markThrough(1, 'arrow', [
      { x: 10, y: 40 },
      { x: 30, y: 20 },
    ])
    expect(mark.box).toEqual({ x: 10, y: 20, width: 20, height: 20 })
    expect(mark.path).toEqual([
      { x: 0, y: 1 },
      { x: 1, y: 0 },
    ])
  })

  it('marks are added, replaced and removed by id', () => {
    const empty = untouched({ width: 100, height: 100 })
    const one = withMark(empty, markByKeyboard(1, 'hide', empty.crop))
    expect(one.marks[0]?.box).toEqual({ x: 37.5, y: 37.5, width: 25, height: 25 })
    const moved = withMark(one, { ...markByKeyboard(1, 'hide', empty.crop), box: empty.crop })
    expect(moved.marks).toHaveLength(1)
    expect(withoutMark(moved, 1)).toEqual(empty)
  })
})
