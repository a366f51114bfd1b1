import { expect, it } from 'vitest'
import { createStop } from './stop.ts'

const stopping = (stop: () => Promise<void>) => {
  const said: string[] = []
  let asked = 0
  const ended = Promise.withResolvers<void>()
  const handle = createStop({
    stop: () => {
      asked++
      return stop()
    },
    longestMs: 20,
    end: ended.resolve,
    say: (line) => said.push(line),
  })
  return { handle, said, asked: () => asked, ended: ended.promise }
}

it('ends the process when stopping takes too long, and a second signal neither hurries nor repeats it', async () => {
  const hung = stopping(() => new Promise(() => {}))
  // The timer does not keep a process alive, and this one has nothing else to do.
  const alive = setInterval(() => {}, 1000)
  hung.handle('SIGTERM')
  hung.handle('SIGINT')
  expect(hung.asked()).toBe(1)
  expect(hung.said[0]).toContain('SIGINT again: still stopping')
  await hung.ended
  clearInterval(alive)
  expect(hung.said[1]).toContain('after SIGTERM. Ending now; what was accepted is on disk')
})

it('ends the process when stopping fails', async () => {
  const failing = stopping(() => Promise.reject(new Error('the disk is full')))
  failing.handle('SIGTERM')
  await failing.ended
  expect(failing.said).toEqual([expect.stringContaining('Stopping failed: the disk is full')])
})
