import { openPage } from '../lib/browser.ts'
import { joinBrowser } from '../lib/shared.ts'

/** Red, green and blue of the pixel in the middle of an image file. */
export const colourOf = async (bytes: Buffer, type: string): Promise<number[]> => {
  const { page, close } = await openPage(await joinBrowser())
  try {
    return await page.evaluate(
      async (address) => {
        const bitmap = await createImageBitmap(await (await fetch(address)).blob())
        const canvas = new OffscreenCanvas(1, 1)
        const context = canvas.getContext('2d')
        context?.drawImage(bitmap, -Math.floor(bitmap.width / 2), -Math.floor(bitmap.height / 2))
        return [...(context?.getImageData(0, 0, 1, 1).data.subarray(0, 3) ?? [])]
      },
      `data:${type};base64,${bytes.toString('base64')}`,
    )
  } finally {
    await close()
  }
}
