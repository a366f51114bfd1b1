import { expect, it } from 'vitest'
import type { Frame, NormalisedEvent } from '../../event/event.ts'
import { LIMITS } from '../limits.ts'
import { imagesWantedBy, notesOf } from './native-notes.ts'

const ID = '33221100-5544-7766-8899-aabbccddeeff'
const PLAIN = ID.replaceAll('-', '')

const image = (number: number, more: object = {}) => ({
  type: 'elf',
  debug_id: `${String(number).padStart(8, '0')}${ID.slice(8)}`,
  code_file: `/usr/lib/lib${number}.so`,
  image_addr: `0x${(number * 0x1000).toString(16)}`,
  image_size: 0x1000,
  ...more,
})

const eventOf = (images: readonly object[], frames: readonly Frame[]): NormalisedEvent =>
  ({ debug_meta: { images }, threads: { values: [{ stacktrace: { frames } }] } }) as unknown as NormalisedEvent

it('L107 images are wanted whose code frames without a name stand in, each once', () => {
  const frames: Frame[] = [
    { instruction_addr: '0x1004' },
    { instruction_addr: '0x1ffc' },
    { instruction_addr: '0x2000', function: 'main' },
    { instruction_addr: '0x9999999' },
    { function: 'pour' },
    { instruction_addr: '0x3000' },
  ]
  const images = [image(1), image(2), image(3, { type: 'sourcemap' }), image(3, { debug_id: 'none' }), 7 as never]
  expect(imagesWantedBy(eventOf(images, frames))).toEqual([{ debugId: `00000001${PLAIN.slice(8)}`, name: 'lib1.so' }])
})

it('are some of an event, however many it has', () => {
  const many = Array.from({ length: 100 }, (_, index) => index + 1)
  const frames = many.map((number): Frame => ({ instruction_addr: `0x${(number * 0x1000).toString(16)}` }))
  const wanted = imagesWantedBy(
    eventOf(
      many.map((number) => image(number)),
      frames,
    ),
  )
  expect(wanted).toHaveLength(LIMITS.NATIVE_IMAGES_PER_EVENT)
})

it('L107 an address says what is missing by its debug id, or that its file is here', () => {
  const wanted = [{ debugId: `${PLAIN}1a`, name: 'shop' }]
  expect(notesOf(wanted, new Set())).toEqual([
    {
      type: 'native_missing_dsym',
      name: 'shop',
      reason: `Missing: debug id ${ID}-1a. No debug file with it was uploaded to this project.`,
    },
  ])
  expect(notesOf(wanted, new Set([`${PLAIN}1a`]))[0]).toMatchObject({
    type: 'native_not_resolved',
    reason: `A debug file with its debug id ${ID}-1a is uploaded; native frames are not resolved yet.`,
  })
})
