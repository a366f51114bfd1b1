import { describe, expect, it } from 'vitest'
import { finish } from '../lib/test/finish.ts'
import type { ProfileForm } from './form.ts'
import { createMixer, frameTimes, type Mix } from './mix.ts'

const WHOLE = { from: 0, to: Infinity }
const START = 1_000_000

interface Sketch {
  readonly platform?: string
  readonly frames?: readonly { readonly name?: string; readonly address?: string; readonly line?: number }[]
  /** Names of functions from the root on; '' where nothing ran. */
  readonly samples: readonly (readonly [at: number, stack: string, thread?: string])[]
}

/** A profile as it would be stored, from a few words. */
const formOf = ({ platform = 'node', frames, samples }: Sketch): ProfileForm => {
  const words: string[] = []
  const word = (text: string): number => {
    const known = words.indexOf(text)
    return known === -1 ? words.push(text) - 1 : known
  }
  const names = [...new Set(samples.flatMap(([, stack]) => stack.split(' ').filter((name) => name !== '')))]
  const all = frames ?? names.map((name) => ({ name }))
  const stacks = { frame: [] as number[], parent: [] as number[] }
  const placeOf = (stack: string): number => {
    let place = -1
    for (const name of stack.split(' ').filter((one) => one !== '')) {
      const frame = frames === undefined ? names.indexOf(name) : Number(name)
      const known = stacks.frame.findIndex((one, index) => one === frame && stacks.parent[index] === place)
      if (known === -1) {
        stacks.frame.push(frame)
        stacks.parent.push(place)
      }
      place = known === -1 ? stacks.frame.length - 1 : known
    }
    return place
  }
  const threads = [...new Set(samples.map(([, , thread = 'main']) => thread))]
  const none = all.map(() => word(''))
  return {
    form: 1,
    platform,
    start: START,
    duration: samples.at(-1)?.[0] ?? 0,
    frames: {
      name: all.map(({ name = '' }) => word(name)),
      file: none,
      module: none,
      address: all.map((frame) => word('address' in frame ? (frame.address ?? '') : '')),
      line: all.map((frame) => ('line' in frame ? (frame.line ?? 0) : 0)),
      column: all.map(() => 0),
      kind: all.map(() => 0),
    },
    samples: {
      thread: samples.map(([, , thread = 'main']) => threads.indexOf(thread)),
      stack: samples.map(([, stack]) => placeOf(stack)),
      at: samples.map(([at]) => at),
    },
    stacks,
    threads: threads.map((id) => ({ id, name: id })),
    activeThread: '',
    about: { sdk: '', runtime: '', os: '', device: '', architecture: '' },
    notes: [],
    words,
  }
}

const textOf = ({ frames, stacks, words }: Mix, stack: number): string => {
  const names: string[] = []
  for (let place = stack; place !== -1; place = stacks.parent[place] ?? -1) {
    names.push(words[frames.name[stacks.frame[place] ?? -1] ?? -1] ?? '?')
  }
  return names.reverse().join(' ')
}

const mixed = (
  parts: readonly Parameters<ReturnType<typeof createMixer>['add']>[0][],
  options = { sums: false, limit: 1000 },
) => {
  const mixer = createMixer(options)
  const ran = parts.map((part) => finish(mixer.add(part)))
  const mix = mixer.mix()
  const samples = mix.samples.stack.map((stack, index) => [
    (mix.samples.at[index] ?? 0) - START,
    textOf(mix, stack),
    mix.samples.weight[index],
  ])
  return { mix, ran, samples, isTruncated: mixer.isTruncated() }
}

const alone = (form: ProfileForm, more: { thread?: string | null; from?: number; to?: number } = {}) => ({
  form,
  thread: null,
  ...WHOLE,
  ...more,
})

describe('weights of samples', () => {
  it('T81 each stands for the time to the next one of its thread, the last for the median', () => {
    const form = formOf({
      samples: [
        [0, 'a'],
        [4, 'x', 'other'],
        [10, 'a b'],
        [40, 'a'],
        [50, ''],
        [60, 'a'],
      ],
    })
    expect(mixed([alone(form, { thread: 'main' })]).samples).toEqual([
      [0, 'a', 10],
      [10, 'a b', 30],
      [40, 'a', 10],
      [50, '', 10],
      [60, 'a', 10],
    ])
  })

  it('a sample that is alone stands for the usual hundredth of a second', () => {
    expect(mixed([alone(formOf({ samples: [[7, 'a']] }))]).samples).toEqual([[7, 'a', 10_000]])
  })
})

describe('T82 a stretch of a profile', () => {
  const form = formOf({
    samples: [
      [0, 'a'],
      [5, 'x', 'other'],
      [10, 'b'],
      [20, 'c'],
      [30, 'd'],
    ],
  })
  it.each([
    [12, 25, 'main', ['b 8', 'c 5']],
    [0, 10, 'main', ['a 10', 'b 0']],
    [35, 1000, 'main', ['d 5']],
    [1000, 2000, 'main', []],
    [0, 100, 'other', ['x 95']],
    [0, 100, 'nobody', []],
  ])('from %i to %i on the thread %s', (from, to, thread, expected) => {
    const { samples } = mixed([alone(form, { from: START + from, to: START + to, thread })])
    expect(samples.map(([, stack, weight]) => `${stack} ${weight}`)).toEqual(expected)
  })
})

describe('many profiles together', () => {
  it('T81 have the sum of their weights, by stack', () => {
    const one = formOf({ samples: [[0, 'a b'], [10, 'a c'], [20, 'a b']] }) // prettier-ignore
    const other = formOf({ samples: [[0, 'a c'], [5, 'a']] }) // prettier-ignore
    const { mix, ran, samples } = mixed([alone(one), alone(other)], { sums: true, limit: 10 })
    expect(samples.map(([, stack, weight]) => `${stack} ${weight}`)).toEqual(['a b 20', 'a c 15', 'a 5'])
    expect(mix.samples.count).toEqual([2, 2, 1])
    const times = frameTimes(mix.stacks, ran[0] ?? new Map())
    const named = Object.fromEntries(
      [...times].map(([frame, { total, self }]) => [mix.words[mix.frames.name[frame] ?? -1], [total, self]]),
    )
    expect(named).toEqual({ a: [30, 0], b: [20, 20], c: [10, 10] })
  })

  it('a function that calls itself is counted once', () => {
    const { mix, ran } = mixed([alone(formOf({ samples: [[0, 'a a a'], [10, 'a']] }))]) // prettier-ignore
    expect([...frameTimes(mix.stacks, ran[0] ?? new Map()).values()]).toEqual([{ total: 20, self: 20 }])
  })

  it('frames without a name are told apart by their address, and are shown by it', () => {
    const form = formOf({
      platform: 'cocoa',
      frames: [{ address: '+0x1' }, { address: '+0x2' }, { address: '+0x1' }],
      samples: [[0, '0'], [10, '1'], [20, '2']], // prettier-ignore
    })
    const { mix, samples } = mixed([alone(form)], { sums: true, limit: 10 })
    expect(samples.map(([, stack, weight]) => `${stack} ${weight}`)).toEqual(['+0x1 20', '+0x2 10'])
    expect(mix.frames.name).toHaveLength(2)
  })

  it.each([
    ['javascript', 2],
    ['python', 1],
  ])('functions of one name on two lines of %s are %i', (platform, functions) => {
    const form = formOf({
      platform,
      frames: [
        { name: 't', line: 1 },
        { name: 't', line: 2 },
      ],
      samples: [[0, '0'], [10, '1']], // prettier-ignore
    })
    expect(mixed([alone(form)]).mix.frames.name).toHaveLength(functions)
  })

  it('more samples than are kept are left out, and it says so', () => {
    const form = formOf({ samples: Array.from({ length: 20 }, (_, index) => [index, 'a'] as const) })
    const { isTruncated, samples } = mixed([alone(form)], { sums: false, limit: 10 })
    expect([samples.length, isTruncated]).toEqual([10, true])
  })

  it('T83 the sum of 100 profiles of 3,000 samples and 30 frames is that of each', () => {
    const samples = Array.from({ length: 3000 }, (_, index) => {
      const names = Array.from({ length: 30 }, (__, depth) => `f${depth}_${depth < 20 ? 0 : (index * 7) % 40}`)
      return [index * 10_000, names.join(' ')] as const
    })
    const form = formOf({ samples })
    const { mix } = mixed(
      Array.from({ length: 100 }, () => alone(form)),
      { sums: true, limit: 200_000 },
    )
    expect(mix.samples.weight.reduce((sum, weight) => sum + weight, 0)).toBe(100 * 3000 * 10_000)
  })
})
