import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, describe, expect, it } from 'vitest'
import { refreshQueries } from './refresh-queries.ts'

describe('what is shown and has changed', () => {
  const client = new QueryClient()
  const queryKey = ['receipts']
  let stored = 0
  let asked = 0
  /** Answers of the server, which are worked out when they are asked for and come when they are let go. */
  let waiting: (() => void)[] = []
  const observer = new QueryObserver(client, {
    queryKey,
    queryFn: async () => {
      asked += 1
      const answer = stored
      await new Promise<void>((resolve) => waiting.push(resolve))
      return answer
    },
  })
  const letGo = (): void => waiting.splice(0).forEach((resolve) => resolve())
  const shown = () => observer.getCurrentResult().data
  afterEach(() => {
    client.clear()
    ;[stored, asked, waiting] = [0, 0, []]
  })

  const open = async () => {
    const close = observer.subscribe(() => undefined)
    letGo()
    await expect.poll(shown).toBe(0)
    return close
  }

  it('is asked for once more when it was on its way as the change was told', async () => {
    const close = await open()
    void refreshQueries(client, [queryKey])
    await expect.poll(() => waiting.length).toBe(1)
    stored = 1
    const refreshed = refreshQueries(client, [queryKey])
    letGo()
    await expect.poll(() => waiting.length).toBe(1)
    letGo()
    await refreshed
    expect([shown(), asked]).toEqual([1, 3])
    close()
  })

  it('is asked for once where nothing was on its way', async () => {
    const close = await open()
    stored = 1
    const refreshed = refreshQueries(client, [queryKey])
    await expect.poll(() => waiting.length).toBe(1)
    letGo()
    await refreshed
    expect([shown(), asked]).toEqual([1, 2])
    close()
  })
})
