import type { SharedReplay } from '@firsthand/contract'
import { expect, it } from 'vitest'
import { replayFile } from './replay-file.ts'

it.each([
  { script: 'write("</script>")', style: '' },
  { script: 'write("<!-- ")', style: '' },
  { script: '', style: 'p::after { content: "</style>" }' },
])('R100 a player that would end the element it stands in is refused, each time that it is asked for: %j', (player) => {
  const made = () =>
    replayFile({ film: '', ...player }, {} as SharedReplay, { chunks: [], videos: [], shown: { from: 0, to: 1 } })
  for (let time = 0; time < 3; time += 1) expect(made).toThrow('ends the element it stands in')
})
