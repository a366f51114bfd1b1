import type { Profile } from '@firsthand/contract'

/** A file that https://www.speedscope.app opens. */
export interface SpeedscopeFile {
  readonly $schema: 'https://www.speedscope.app/file-format-schema.json'
  readonly exporter: string
  readonly name: string
  readonly activeProfileIndex: number
  readonly shared: {
    readonly frames: readonly {
      readonly name: string
      readonly file?: string
      readonly line?: number
      readonly col?: number
    }[]
  }
  readonly profiles: readonly {
    readonly type: 'sampled'
    readonly name: string
    readonly unit: 'microseconds'
    readonly startValue: number
    readonly endValue: number
    readonly samples: readonly (readonly number[])[]
    readonly weights: readonly number[]
  }[]
}

/** What nobody knows is left out; what waited is a sample without frames. */
export function toSpeedscope(profile: Profile, title: string): SpeedscopeFile {
  const { frames, samples, stacks, threads, words } = profile
  const word = (index: number | undefined): string => words[index ?? -1] ?? ''
  const thread = threads.find(({ id }) => id === profile.thread)
  const framesOf = (stack: number): number[] => {
    const path: number[] = []
    for (let place = stack; place !== -1; place = stacks.parent[place] ?? -1) path.push(stacks.frame[place] ?? 0)
    return path.reverse()
  }
  return {
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    exporter: 'firsthand',
    name: title,
    activeProfileIndex: 0,
    shared: {
      frames: frames.name.map((name, frame) => {
        const file = word(frames.file[frame]) || word(frames.module[frame])
        const [line = 0, col = 0] = [frames.line[frame], frames.column[frame]]
        return {
          name: word(name),
          ...(file === '' ? {} : { file }),
          ...(line === 0 ? {} : { line }),
          ...(col === 0 ? {} : { col }),
        }
      }),
    },
    profiles: [
      {
        type: 'sampled',
        name: thread === undefined ? title : `${title}, thread ${thread.name || thread.id}`,
        unit: 'microseconds',
        startValue: 0,
        endValue: samples.weight.reduce((sum, weight) => sum + weight, 0),
        samples: samples.stack.map(framesOf),
        weights: samples.weight,
      },
    ],
  }
}

/** A name that every file system takes. */
export function fileNameOf(title: string): string {
  const plain = title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-+|-+$/g, '')
  return `${plain.slice(0, 80) || 'profile'}.speedscope.json`
}
