import { createServer } from 'node:http'
import type { Page } from 'playwright-core'
import type { RecordedEvent } from './replays.ts'

const square = (colour: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><path fill="${colour}" d="M0 0h40v40H0z"/></svg>`

const FILES: Readonly<Record<string, readonly [type: string, body: string]>> = {
  '/photo.svg': ['image/svg+xml', square('rgb(200,10,20)')],
  '/back.svg': ['image/svg+xml', square('rgb(10,20,200)')],
  '/site.css': ['text/css', 'body { margin: 0; background: url(back.svg) } img { display: block; width: 100px }'],
}

const element = (id: number, tagName: string, attributes: object, ...childNodes: object[]) => ({
  type: 2,
  id,
  tagName,
  attributes,
  childNodes,
})

/** A site whose pages name images and a style sheet, one of which is not there, and that counts who asks for them. */
export const openAssetSite = async () => {
  const asked: string[] = []
  const site = createServer((request, response) => {
    asked.push(request.url ?? '')
    const [type, body] = FILES[request.url ?? ''] ?? []
    if (type === undefined) response.writeHead(404).end()
    else response.setHeader('content-type', type).end(body)
  })
  await new Promise<void>((listening) => {
    site.listen(0, '127.0.0.1', listening)
  })
  const address = site.address()
  if (address === null || typeof address === 'string') throw new Error('the site has no port')
  const origin = `http://127.0.0.1:${address.port}`
  const link = element(4, 'link', { rel: 'stylesheet', href: `${origin}/site.css` })
  const images = [element(6, 'img', { src: `${origin}/photo.svg` }), element(7, 'img', { src: `${origin}/gone.png` })]
  const html = element(2, 'html', {}, element(3, 'head', {}, link), element(5, 'body', {}, ...images))
  return {
    asked,
    origin,
    /** A page of it as it is recorded, for four seconds from then on. */
    page: (at: number): RecordedEvent[] => [
      { type: 4, timestamp: at, data: { href: `${origin}/`, width: 400, height: 300 } },
      { type: 2, timestamp: at, data: { node: { type: 0, id: 1, childNodes: [html] }, initialOffset: {} } },
      { type: 3, timestamp: at + 4000, data: { source: 3, id: 1, x: 0, y: 0 } },
    ],
    close: () => {
      site.closeAllConnections()
      site.close()
    },
  }
}

/** Of a picture that is two wide: the pixels in the middle of its left and of its right half. */
export const coloursOf = (page: Page, picture: Buffer): Promise<(string | undefined)[]> =>
  page.evaluate(async (png) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob())
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
    context?.drawImage(bitmap, 0, 0)
    const pixelAt = (share: number) =>
      context
        ?.getImageData(Math.round(bitmap.width * share), bitmap.height / 2, 1, 1)
        .data.slice(0, 3)
        .join()
    return [pixelAt(0.25), pixelAt(0.75)]
  }, picture.toString('base64'))
