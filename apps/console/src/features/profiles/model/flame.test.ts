import type { Profile } from '@firsthand/contract'
import { describe, expect, it } from 'vitest'
import { boxAt, type CallTree, heaviestFirst, inOrderOfTime, neighbour, widestOf } from './call-tree.ts'
import { findFunctions, nextHit } from './find.ts'
import { functionsOf, neighboursOf } from './functions.ts'
import { type ProfileModel, readProfile } from './profile.ts'
import { profileOfSpan } from './profile-of-span.ts'
import { readProfileUrl } from './profile-search.ts'
import { fileNameOf, toSpeedscope } from './speedscope.ts'

/** @param samples names of functions from the root on ('' where nothing ran), and microseconds */
function profileOf(samples: readonly (readonly [stack: string, weight: number])[]): Profile {
  const words = [...new Set(['', '/app/tea.js', ...samples.flatMap(([stack]) => stack.split(' '))])]
  const names = words.filter((word) => word !== '' && !word.startsWith('/'))
  const stacks = { frame: [] as number[], parent: [] as number[] }
  const placeOf = (text: string): number => {
    let place = -1
    for (const name of text.split(' ').filter((word) => word !== '')) {
      const frame = names.indexOf(name)
      const known = stacks.frame.findIndex((one, index) => one === frame && stacks.parent[index] === place)
      if (known === -1) {
        stacks.frame.push(frame)
        stacks.parent.push(place)
      }
      place = known === -1 ? stacks.frame.length - 1 : known
    }
    return place
  }
  let at = 0
  const ats = samples.map(([, weight]) => (at += weight) - weight)
  return {
    kind: 'transaction',
    id: 'a'.repeat(32),
    profiles: 1,
    projectId: '1',
    projectSlug: 'shop',
    transaction: 'GET /tea',
    traceId: '',
    spanId: '',
    platform: 'node',
    release: '',
    environment: '',
    sdk: '',
    runtime: '',
    device: '',
    start: '2026-11-22T12:00:00.000Z',
    startMicroseconds: 0,
    duration: at / 1000,
    threads: [{ id: '0', name: 'main', samples: samples.length }],
    thread: '0',
    words,
    frames: {
      name: names.map((name) => words.indexOf(name)),
      file: names.map(() => 1),
      module: names.map(() => 0),
      line: names.map((_, index) => index + 1),
      column: names.map(() => 0),
      kind: names.map(() => 0),
    },
    samples: {
      stack: samples.map(([stack]) => placeOf(stack)),
      at: ats,
      weight: samples.map(([, weight]) => weight),
      count: samples.map(() => 1),
    },
    stacks,
    notes: [],
    truncated: false,
  }
}

const SAMPLES = [
  ['main load', 10],
  ['main load parse', 30],
  ['', 100],
  ['main load', 10],
  ['main price', 60],
  ['main', 5],
] as const

const model = readProfile(profileOf(SAMPLES))
const drawn = (of: ProfileModel, tree: CallTree): string[] =>
  Array.from(
    tree.frame,
    (frame, box) => `${'.'.repeat(tree.depth[box] ?? 0)}${of.name[frame]} ${tree.from[box]}-${tree.to[box]}`,
  )

describe('a flame graph', () => {
  it('in the order of time leaves waiting out, until it is asked for', () => {
    expect(drawn(model, inOrderOfTime(model, false))).toEqual([
      'main 0-40',
      '.load 0-40',
      '..parse 10-40',
      'main 40-115',
      '.load 40-50',
      '.price 50-110',
    ])
    expect(drawn(model, inOrderOfTime(model, true)).slice(3)).toEqual([
      'main 140-215',
      '.load 140-150',
      '.price 150-210',
    ])
  })

  it('with the heaviest first has each place of the call tree once', () => {
    expect(drawn(model, heaviestFirst(model))).toEqual(['main 0-115', '.price 0-60', '.load 60-110', '..parse 60-90'])
  })

  it('T81 sums equal the weights of the samples, in both orders', () => {
    const weights = SAMPLES.filter(([stack]) => stack !== '').reduce((sum, [, weight]) => sum + weight, 0)
    for (const tree of [inOrderOfTime(model, false), heaviestFirst(model)]) {
      expect(tree.length).toBe(weights)
      expect(tree.self.reduce((sum, self) => sum + self, 0)).toBe(weights)
      const roots = [...(tree.rows[0] ?? [])].map((box) => (tree.to[box] as number) - (tree.from[box] as number))
      expect(roots.reduce((sum, width) => sum + width, 0)).toBe(weights)
    }
  })

  it('T112 of stacks that are 20,000 deep is drawn without recursion', () => {
    const deep = Array.from({ length: 20_000 }, (_, index) => index)
    const words = ['f']
    const profile = {
      ...profileOf([['f', 1]]),
      words,
      stacks: { frame: deep.map(() => 0), parent: deep.map((index) => index - 1) },
      samples: { stack: [19_999], at: [0], weight: [5], count: [1] },
    }
    const read = readProfile(profile)
    expect([inOrderOfTime(read, false).rows.length, heaviestFirst(read).rows.length]).toEqual([20_000, 20_000])
    expect(functionsOf(heaviestFirst(read), read.frames).total[0]).toBe(5)
  })

  it('of 200,000 samples is laid out', () => {
    const many = readProfile(
      profileOf(
        Array.from({ length: 200_000 }, (_, index) => [`main work w${index % 50} leaf${index % 3}`, 10] as const),
      ),
    )
    expect(inOrderOfTime(many, false).length).toBe(2_000_000)
    expect(heaviestFirst(many).length).toBe(2_000_000)
  })

  it('finds the box at a place, and goes to its neighbours', () => {
    const tree = heaviestFirst(model)
    const nameOf = (box: number): string => (box === -1 ? '' : (model.name[tree.frame[box] as number] ?? ''))
    expect([boxAt(tree, 0, 0), boxAt(tree, 1, 59.9), boxAt(tree, 1, 60), boxAt(tree, 1, 112)].map(nameOf)).toEqual([
      'main',
      'price',
      'load',
      '',
    ])
    const main = neighbour(tree, -1, 'down')
    const price = neighbour(tree, main, 'down')
    const load = neighbour(tree, price, 'right')
    expect([main, price, load, neighbour(tree, load, 'down'), neighbour(tree, load, 'right')].map(nameOf)).toEqual([
      'main',
      'price',
      'load',
      'parse',
      'load',
    ])
    expect(neighbour(tree, load, 'up')).toBe(main)
    expect(nameOf(widestOf(tree, tree.frame[load] as number))).toBe('load')
  })
})

describe('a function', () => {
  it('has its own time and that of all it called; one that calls itself is counted once', () => {
    const recursive = readProfile(profileOf([['a b a', 10], ['a', 5], ['b', 1]])) // prettier-ignore
    const { bySelf, self, total } = functionsOf(heaviestFirst(recursive), recursive.frames)
    expect(Object.fromEntries(recursive.name.map((name, frame) => [name, [total[frame], self[frame]]]))).toEqual({
      a: [15, 15],
      b: [11, 1],
    })
    expect([...bySelf].map((frame) => recursive.name[frame])).toEqual(['a', 'b'])
  })

  it('has callers and callees', () => {
    const tree = heaviestFirst(model)
    const found = neighboursOf(tree, model.frames, model.name.indexOf('load'))
    const words = (list: typeof found.callers) => list.map(({ frame, time }) => `${model.name[frame]} ${time}`)
    expect([words(found.callers), words(found.callees)]).toEqual([['main 50'], ['parse 30']])
  })
})

describe('T83 a search', () => {
  it('hits functions by name and file, counts them and their time, and goes from one to the next', () => {
    const tree = inOrderOfTime(model, false)
    const hits = findFunctions(model, tree, ' LOAD ')
    expect([hits.functions, hits.boxes.length, Math.round(hits.share * 115)]).toEqual([1, 2, 50])
    const [first = -1, second = -1] = hits.boxes
    expect([nextHit(hits.boxes, -1, 1), nextHit(hits.boxes, first, 1), nextHit(hits.boxes, second, 1)]).toEqual([
      first,
      second,
      first,
    ])
    expect(nextHit(hits.boxes, first, -1)).toBe(second)
    expect(findFunctions(model, tree, 'tea.js').share).toBe(1)
    expect(findFunctions(model, tree, '').isHit).toBeNull()
  })
})

describe('T81 a file for speedscope', () => {
  it('keeps the rules of its format, and the weights', () => {
    const file = toSpeedscope(profileOf(SAMPLES), 'GET /tea')
    const [profile] = file.profiles
    if (profile === undefined) throw new Error('it has no profile')
    expect(file.$schema).toBe('https://www.speedscope.app/file-format-schema.json')
    expect(file.activeProfileIndex).toBeLessThan(file.profiles.length)
    expect(profile.samples).toHaveLength(profile.weights.length)
    expect(profile.samples.flat().every((frame) => file.shared.frames[frame] !== undefined)).toBe(true)
    expect(profile.endValue).toBe(profile.weights.reduce((sum, weight) => sum + weight, 0))
    expect(profile.samples.map((stack) => stack.map((frame) => file.shared.frames[frame]?.name).join(' '))).toEqual(
      SAMPLES.map(([stack]) => stack),
    )
    expect(file.shared.frames[0]).toEqual({ name: 'main', file: '/app/tea.js', line: 1 })
    expect(fileNameOf('GET /tea/*')).toBe('GET-tea.speedscope.json')
  })
})

describe('the profile of a span', () => {
  const summary = {
    id: 'p'.repeat(32),
    profilerId: '',
    projectId: '1',
    projectSlug: 'shop',
    transaction: 'GET /tea',
    traceId: '',
    spanId: '',
    start: '',
    startMicroseconds: 1_000_000,
    duration: 500,
    threads: [],
    samples: 1,
    platform: '',
    release: '',
    environment: '',
  }
  const [traceId, id] = ['a'.repeat(32), 'b'.repeat(16)]
  const span = { traceId, id, projectId: '1', transaction: 'GET /tea', thread: '7', start: 1_100_000, end: 1_200_000 }
  it('T82 is that of its transaction, or else the continuous one, cut to its time and thread', () => {
    const chunk = { ...summary, id: 'c', profilerId: 'r', transaction: '' }
    const search = { project: '1', from: 1100, to: 1200, trace: traceId, span: id }
    expect(profileOfSpan([chunk, summary], span)).toEqual({ profile: summary.id, search })
    expect(profileOfSpan([chunk], span)).toEqual({ profile: 'r', search })
    const onThread = { ...chunk, threads: ['0', '7'] }
    expect(profileOfSpan([onThread], span)?.search).toEqual({ ...search, thread: '7' })
    expect(profileOfSpan([{ ...summary, projectId: '2' }], span)).toBeNull()
    expect(profileOfSpan([summary], { ...span, start: 1_600_000, end: 1_700_000 })).toBeNull()
  })
})

it('reads any address', () => {
  expect(
    readProfileUrl({
      order: 'heavy',
      project: 3,
      thread: '7',
      from: '5',
      to: 9,
      waiting: 'true',
      trace: 'A',
      span: 'b'.repeat(16),
    }),
  ).toEqual({
    order: 'heavy',
    project: '3',
    thread: '7',
    from: 5,
    to: 9,
    waiting: true,
    span: 'b'.repeat(16),
  })
  expect(readProfileUrl({ order: 'x', project: '../', from: 9, to: 5, waiting: {} })).toEqual({})
})
