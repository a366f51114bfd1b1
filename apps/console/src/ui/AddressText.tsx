import { addressParts, readableAddress } from '../lib/readable-address.ts'
import { plainVisible } from '../lib/visible-text.ts'
import { VisibleText } from './VisibleText.tsx'

/** An address of a recorded page, or a part of one, with its letters; exactly as it was written while one points at it. */
export function AddressText({ text }: { readonly text: string }) {
  const readable = readableAddress(text)
  if (readable === text) return <VisibleText text={text} />
  return (
    <bdi dir="ltr" title={plainVisible(text)}>
      {addressParts(readable).map((part, index) => (
        // Each by itself: what is written from the right would change places with what stands beside it.
        // oxlint-disable-next-line react/no-array-index-key -- they never change places
        <bdi key={index}>
          <VisibleText text={part} />
        </bdi>
      ))}
    </bdi>
  )
}
