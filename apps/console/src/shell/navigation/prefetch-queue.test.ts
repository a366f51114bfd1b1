import { describe, expect, it } from 'vitest'
import { MAX_PREFETCHES } from './policy.ts'
import { createPrefetchQueue } from './prefetch-queue.ts'

/** A task that ends when it is told to. */
function held() {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  return { task: () => promise, resolve, reject }
}

const settled = () => new Promise<void>((resolve) => setTimeout(resolve))

describe('specification: at most 5 prefetches at a time', () => {
  it('the limit is 5', () => {
    expect(MAX_PREFETCHES).toBe(5)
  })

  it('20 prefetches: five run, the others wait, and all of them run in the end', async () => {
    const queue = createPrefetchQueue(MAX_PREFETCHES)
    let running = 0
    let peak = 0
    let finished = 0
    const all = Array.from({ length: 20 }, (_, index) =>
      queue.add(`/page/${index}`, async () => {
        running += 1
        peak = Math.max(peak, running)
        await settled()
        running -= 1
        finished += 1
      }),
    )
    expect(queue.running).toBe(5)
    expect(queue.waiting).toBe(15)
    await Promise.all(all)
    expect(peak).toBe(5)
    expect(finished).toBe(20)
    expect(queue.running).toBe(0)
  })
})

describe('prefetch queue', () => {
  it('runs a page once however often it is asked for', async () => {
    const queue = createPrefetchQueue(1)
    let runs = 0
    const task = async () => {
      runs += 1
      await settled()
    }
    await Promise.all([queue.add('/a', task), queue.add('/a', task), queue.add('/a', task)])
    expect(runs).toBe(1)
  })

  it('a page that is asked for again comes next', async () => {
    const queue = createPrefetchQueue(1)
    const order: string[] = []
    const first = held()
    const note = (name: string) => async () => {
      order.push(name)
    }
    void queue.add('/first', first.task)
    const waits = [queue.add('/b', note('b')), queue.add('/c', note('c')), queue.add('/c', note('c'))]
    first.resolve()
    await Promise.all(waits)
    expect(order).toEqual(['c', 'b'])
  })

  it('a prefetch that fails makes room and disturbs nobody', async () => {
    const queue = createPrefetchQueue(1)
    const failing = held()
    const done = queue.add('/broken', failing.task)
    const next = queue.add('/fine', async () => undefined)
    failing.reject(new Error('offline'))
    await expect(done).resolves.toBeUndefined()
    await expect(next).resolves.toBeUndefined()
  })

  it('forgets the oldest guesses when hundreds wait', async () => {
    const queue = createPrefetchQueue(1)
    const first = held()
    void queue.add('/first', first.task)
    let ran = false
    const forgotten = queue.add('/oldest', async () => {
      ran = true
    })
    const rest = Array.from({ length: 100 }, (_, index) => queue.add(`/${index}`, async () => undefined))
    await forgotten
    expect(ran).toBe(false)
    first.resolve()
    await Promise.all(rest)
  })
})
