import { afterEach, describe, expect, it } from 'vitest'
import { changing, forgetChanges, undoLast, undoable } from './undo.ts'

afterEach(forgetChanges)

describe('taking back', () => {
  it('goes from the newest change to the oldest, each once', async () => {
    const back: string[] = []
    undoable(() => void back.push('first'))
    const second = undoable(() => void back.push('second'))
    second.run()
    second.run()
    await second.taken
    expect(await undoLast()).toBe(true)
    expect(await undoLast()).toBe(false)
    expect(back).toEqual(['second', 'first'])
  })

  it('waits for a change that is under way: that is the last one', async () => {
    const back: string[] = []
    undoable(() => void back.push('older'))
    const answer = Promise.withResolvers<void>()
    const change = async () => {
      await changing(answer.promise)
      undoable(() => void back.push('newer'))
    }
    const done = change()
    const undone = undoLast()
    answer.resolve()
    await Promise.all([done, undone])
    expect(back).toEqual(['newer'])
  })

  it('takes back what came before a change that failed', async () => {
    const back: string[] = []
    undoable(() => void back.push('older'))
    const failed = changing(Promise.reject(new Error('refused')))
    const undone = undoLast()
    await expect(failed).rejects.toThrow('refused')
    expect(await undone).toBe(true)
    expect(back).toEqual(['older'])
  })

  it('remembers twenty changes, and none of somebody who has logged out', async () => {
    const back: number[] = []
    for (let index = 0; index < 25; index += 1) undoable(() => void back.push(index))
    while (await undoLast()) continue
    expect(back).toHaveLength(20)
    expect(back.at(-1)).toBe(5)
    undoable(() => void back.push(99))
    forgetChanges()
    expect(await undoLast()).toBe(false)
  })
})
