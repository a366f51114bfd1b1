import { expect, it } from 'vitest'
import { connectToasts, toast } from './toast.ts'

it('shows one message in place of the one before, and errors beside it', () => {
  const shown: string[] = []
  const show = (): void =>
    connectToasts({
      add: ({ title }) => {
        shown.push(title)
        return title
      },
      close: (id) => void shown.splice(shown.indexOf(id), 1),
    })
  toast({ title: 'said before the region was there' })
  toast({ title: 'first' })
  show()
  expect(shown).toEqual(['first'])
  toast({ title: 'failed', tone: 'error' })
  toast({ title: 'second' })
  toast({ title: 'third' })
  expect(shown).toEqual(['failed', 'third'])
})
