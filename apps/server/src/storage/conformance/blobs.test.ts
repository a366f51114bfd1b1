import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { readdirSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFileBlobs } from '../blobs/file-blobs.ts'
import { createS3Blobs, readS3Url } from '../blobs/s3-blobs.ts'
import type { BlobStore } from '../blobs/blobs.store.ts'
import { temporaryFolder } from './engines.ts'

/** Objects in memory behind the four requests that the store makes. Signatures are looked for, not checked. */
const startS3 = async (): Promise<{ url: string; server: Server; objects: Map<string, Buffer> }> => {
  const objects = new Map<string, Buffer>()
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (!(request.headers.authorization ?? '').startsWith('AWS4-HMAC-SHA256 Credential=key/')) {
        response.writeHead(403).end('<Code>SignatureDoesNotMatch</Code>')
        return
      }
      const object = objects.get(path)
      if (request.method === 'PUT') objects.set(path, Buffer.concat(chunks))
      if (request.method === 'DELETE') objects.delete(path)
      if (request.method === 'PUT') response.writeHead(200).end()
      else if (request.method === 'DELETE') response.writeHead(204).end()
      else if (object === undefined) response.writeHead(404).end()
      else
        response.writeHead(200, { 'Content-Length': object.length }).end(request.method === 'GET' ? object : undefined)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://key:se%2Fcret@127.0.0.1:${port}/bucket?region=eu-1`, server, objects }
}

const ENGINES = [
  {
    name: 'files',
    open: () => {
      const folder = temporaryFolder()
      return Promise.resolve({
        blobs: createFileBlobs(join(folder.path, 'blobs')),
        close: async () => folder.remove(),
      })
    },
  },
  {
    name: 'S3',
    open: async () => {
      const s3 = await startS3()
      return {
        blobs: createS3Blobs(readS3Url(s3.url)),
        close: () => new Promise<void>((resolve) => s3.server.close(() => resolve())),
      }
    },
  },
]

describe.each(ENGINES)('blobs in $name', ({ open }) => {
  let opened: { blobs: BlobStore; close: () => Promise<void> }
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())

  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
  const read = async (key: string): Promise<string | null> => {
    const found = await opened.blobs.get(key)
    return found === null ? null : new TextDecoder().decode(found)
  }

  it('stores by content, per organisation', async () => {
    const keys = await opened.blobs.put([
      { organizationId: 1, bytes: bytes('a') },
      { organizationId: 2, bytes: bytes('a') },
      { organizationId: 1, bytes: bytes('') },
    ])
    const sha = 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb'
    expect(keys.slice(0, 2)).toEqual([`1/${sha}`, `2/${sha}`])
    expect(await opened.blobs.put([{ organizationId: 1, bytes: bytes('a') }])).toEqual([`1/${sha}`])
    expect(await Promise.all(keys.map(read))).toEqual(['a', 'a', ''])
  })

  it('removes, also what is not there', async () => {
    const [key = ''] = await opened.blobs.put([{ organizationId: 3, bytes: bytes('gone') }])
    await opened.blobs.remove([key, key, `3/${'0'.repeat(64)}`])
    expect(await read(key)).toBeNull()
  })

  it('survives two writers of the same content', async () => {
    const content = bytes('x'.repeat(100_000))
    const results = await Promise.all(
      Array.from({ length: 8 }, () => opened.blobs.put([{ organizationId: 4, bytes: content }])),
    )
    expect(new Set(results.flat()).size).toBe(1)
    expect((await opened.blobs.get(results[0]?.[0] ?? ''))?.byteLength).toBe(100_000)
  })

  it.each([
    '',
    '../secret',
    '1/../../secret',
    `1/${'g'.repeat(64)}`,
    `1/${'a'.repeat(64)}/x`,
    `-1/${'a'.repeat(64)}`,
    '1/%2e%2e',
  ])('knows no key %j', async (key) => {
    expect(await opened.blobs.get(key)).toBeNull()
    await opened.blobs.remove([key])
  })
})

describe('file blobs', () => {
  it('write a torn file again', async () => {
    const folder = temporaryFolder()
    const blobs = createFileBlobs(folder.path)
    const content = new TextEncoder().encode('whole')
    const [key = ''] = await blobs.put([{ organizationId: 1, bytes: content }])
    const hash = key.slice(2)
    writeFileSync(join(folder.path, '1', hash.slice(0, 2), hash), 'who')
    await blobs.put([{ organizationId: 1, bytes: content }])
    expect(Buffer.from((await blobs.get(key)) ?? []).toString()).toBe('whole')
    expect(readdirSync(join(folder.path, '1', hash.slice(0, 2)))).toEqual([hash])
    folder.remove()
  })
})

describe('S3 blobs', () => {
  it('say what is wrong with the address or the bucket', async () => {
    expect(() => readS3Url('https://host/bucket')).toThrow(/access key, no secret/)
    expect(() => readS3Url('https://a:b@host/')).toThrow(/no bucket/)
    const s3 = await startS3()
    const denied = createS3Blobs({ ...readS3Url(s3.url), accessKeyId: 'other' })
    await expect(denied.get(`1/${'a'.repeat(64)}`)).rejects.toThrow(/answered 403/)
    await new Promise<void>((resolve) => s3.server.close(() => resolve()))
  })
})
