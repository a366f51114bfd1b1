import { createServer } from 'node:http'
import type { Server, ServerResponse } from 'node:http'
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { StoreFault } from '../../lib/store-fault.ts'
import { createFileBlobs } from '../blobs/file-blobs.ts'
import { createS3Blobs } from '../blobs/s3-blobs.ts'
import { readS3Url } from '../blobs/s3-requests.ts'
import type { BlobStore } from '../blobs/blobs.store.ts'
import { temporaryFolder } from './engines.ts'

/**
 * Objects in memory behind the requests that the store makes. Signatures are looked for, not checked.
 *
 * @param tagOf an object that was put whole: its MD5, as of most buckets; those that encrypt have others
 */
const startS3 = async (
  tagOf = (object: Buffer): string => createHash('md5').update(object).digest('hex'),
): Promise<{
  url: string
  server: Server
  objects: Map<string, Buffer>
  /** Method and path of each request. */
  asked: string[]
  uploads: Map<string, Buffer[]>
  fail: { part: number | null }
}> => {
  const objects = new Map<string, Buffer>()
  const inParts = new Set<string>()
  const asked: string[] = []
  /** Parts by the number of their upload. */
  const uploads = new Map<string, Buffer[]>()
  const fail: { part: number | null } = { part: null }
  let begun = 0
  const answerUpload = (method: string | undefined, url: URL, body: Buffer, response: ServerResponse): void => {
    const id = url.searchParams.get('uploadId') ?? ''
    const part = Number(url.searchParams.get('partNumber'))
    const parts = uploads.get(id)
    if (method === 'POST' && url.searchParams.has('uploads')) {
      begun += 1
      uploads.set(String(begun), [])
      response.end(`<InitiateMultipartUploadResult><UploadId>${begun}</UploadId></InitiateMultipartUploadResult>`)
    } else if (parts === undefined) response.writeHead(404).end()
    else if (method === 'PUT' && part === fail.part) response.writeHead(400).end('<Code>RequestTimeout</Code>')
    else if (method === 'PUT') {
      parts[part - 1] = body
      response.writeHead(200, { ETag: `"${part}"` }).end()
    } else {
      if (method === 'POST') {
        objects.set(url.pathname, Buffer.concat(parts))
        inParts.add(url.pathname)
      }
      uploads.delete(id)
      response.end('<CompleteMultipartUploadResult/>')
    }
  }
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (!(request.headers.authorization ?? '').startsWith('AWS4-HMAC-SHA256 Credential=key/')) {
        response.writeHead(403).end('<Code>SignatureDoesNotMatch</Code>')
        return
      }
      asked.push(`${request.method} ${path}`)
      const object = objects.get(path)
      const url = new URL(path, 'http://bucket')
      if (url.search !== '') {
        answerUpload(request.method, url, Buffer.concat(chunks), response)
        return
      }
      if (request.method === 'PUT') {
        objects.set(path, Buffer.concat(chunks))
        inParts.delete(path)
      }
      if (request.method === 'DELETE') objects.delete(path)
      if (request.method === 'PUT') response.writeHead(200).end()
      else if (request.method === 'DELETE') response.writeHead(204).end()
      else if (object === undefined) response.writeHead(404).end()
      else {
        const tag = inParts.has(path) ? `${'0'.repeat(32)}-2` : tagOf(object)
        const headers = { 'Content-Length': object.length, ETag: `"${tag}"` }
        response.writeHead(200, headers).end(request.method === 'GET' ? object : undefined)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://key:se%2Fcret@127.0.0.1:${port}/bucket?region=eu-1`, server, objects, asked, uploads, fail }
}

const filePath = (folder: string, key: string): string => {
  const [organization = '', hash = ''] = key.split('/')
  return join(folder, organization, hash.slice(0, 2), hash)
}

const openS3 = async (...tags: Parameters<typeof startS3>) => {
  const s3 = await startS3(...tags)
  return {
    blobs: createS3Blobs(readS3Url(s3.url)),
    stored: (key: string) => ({
      read: () => s3.objects.get(`/bucket/${key}`) ?? Buffer.alloc(0),
      write: (bytes: Uint8Array) => void s3.objects.set(`/bucket/${key}`, Buffer.from(bytes)),
    }),
    close: () => new Promise<void>((resolve) => s3.server.close(() => resolve())),
  }
}

/** What may have become of bytes that were stored. */
const HARMS: readonly (readonly [string, (whole: Buffer) => Buffer])[] = [
  ['was cut', (whole) => whole.subarray(0, Math.floor(whole.byteLength / 2))],
  ['is empty', () => Buffer.alloc(0)],
  ['has more behind it', (whole) => Buffer.concat([whole, Buffer.from('x')])],
  ['is something else of its size', (whole) => randomBytes(whole.byteLength)],
  [
    'has another last byte',
    (whole) => {
      const flipped = Buffer.from(whole)
      flipped.writeUInt8(flipped.readUInt8(whole.byteLength - 1) ^ 1, whole.byteLength - 1)
      return flipped
    },
  ],
]

const ENGINES = [
  {
    name: 'files',
    open: () => {
      const folder = temporaryFolder()
      return Promise.resolve({
        blobs: createFileBlobs(join(folder.path, 'blobs')),
        stored: (key: string) => {
          const path = filePath(join(folder.path, 'blobs'), key)
          const write = (bytes: Uint8Array): void => {
            // The file that it was made of may be the same one by another name.
            rmSync(path)
            writeFileSync(path, bytes)
          }
          return { read: () => readFileSync(path), write }
        },
        close: async () => folder.remove(),
      })
    },
  },
  { name: 'S3', open: () => openS3() },
  { name: 'S3 that encrypts', open: () => openS3(() => randomBytes(16).toString('hex')) },
]

describe.each(ENGINES)('blobs in $name', ({ open }) => {
  let opened: {
    blobs: BlobStore
    /** What lies on disk or in the bucket. */
    stored: (key: string) => { read(): Buffer; write(bytes: Uint8Array): void }
    close: () => Promise<void>
  }
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
    const known = { organizationId: 3, bytes: bytes('a'), sha256: sha }
    expect(await opened.blobs.put([known])).toEqual([`3/${sha}`])
    expect(await Promise.all([...keys, `3/${sha}`].map(read))).toEqual(['a', 'a', '', 'a'])
  })

  const put = async (content: Uint8Array): Promise<string> => {
    const [key = ''] = await opened.blobs.put([{ organizationId: 5, bytes: content }])
    expect(key).toBe(`5/${createHash('sha256').update(content).digest('hex')}`)
    return key
  }
  const same = async (key: string, content: Uint8Array): Promise<boolean> =>
    Buffer.from((await opened.blobs.get(key)) ?? []).equals(content)

  it('compresses what gains from it, and gives it back byte for byte', async () => {
    const regular = Buffer.alloc(20 * 1024 * 1024)
    regular.writeUInt32LE(0xcafe, 1_000_000)
    const key = await put(regular)
    expect(opened.stored(key).read().byteLength).toBeLessThan(10_000)
    expect(await same(key, regular)).toBe(true)
    expect(await put(regular)).toBe(key)
    expect(await same(key, regular)).toBe(true)
  })

  it.each([
    ['a picture', Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47]), Buffer.alloc(50_000)])],
    ['what is compressed', gzipSync(randomBytes(50_000))],
    ['noise', randomBytes(50_000)],
    ['nothing', Buffer.alloc(0)],
  ])('stores %s as it is', async (_, content) => {
    const key = await put(content)
    expect(opened.stored(key).read().equals(content)).toBe(true)
    expect(await same(key, content)).toBe(true)
  })

  it('gives back content that looks like a packed blob', async () => {
    const inner = opened.stored(await put(Buffer.alloc(100_000, 7))).read()
    const key = await put(inner)
    expect(await same(key, inner)).toBe(true)
    const cut = inner.subarray(0, 12)
    expect(await same(await put(cut), cut)).toBe(true)
  })

  it('reads what an older Firsthand stored uncompressed', async () => {
    const content = Buffer.alloc(100_000, 'old ')
    const key = await put(content)
    opened.stored(key).write(content)
    expect(await same(key, content)).toBe(true)
    expect(await put(content)).toBe(key)
    expect(opened.stored(key).read().equals(content)).toBe(true)
  })

  it('never unpacks more than the recorded size, and says that a damaged blob is damaged', async () => {
    const key = await put(Buffer.alloc(1_000_000, 'x'))
    const whole = Buffer.from(opened.stored(key).read())
    for (const size of [10n, 2_000_000n, 2n ** 60n]) {
      const lying = Buffer.from(whole)
      lying.writeBigUInt64LE(size, 12)
      opened.stored(key).write(lying)
      await expect(opened.blobs.get(key)).rejects.toThrow(/damaged/)
    }
    opened.stored(key).write(whole.subarray(0, 30))
    await expect(opened.blobs.get(key)).rejects.toThrow(/damaged/)
  })

  it.each([
    ['as it is', Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47]), Buffer.alloc(50_000)])],
    ['packed', Buffer.alloc(50_000, 'text that repeats itself ')],
    ['packed, with noise in it', Buffer.concat([Buffer.alloc(50_000), randomBytes(50_000)])],
  ])('hands out nothing that is not what was stored (%s)', async (_, content) => {
    const key = await put(content)
    const { read: readStored, write } = opened.stored(key)
    const whole = Buffer.from(readStored())
    for (const at of [0, 5, Math.floor(whole.byteLength / 2), whole.byteLength - 1]) {
      const flipped = Buffer.from(whole)
      flipped.writeUInt8(flipped.readUInt8(at) ^ 1, at)
      write(flipped)
      const damaged = opened.blobs.get(key)
      await expect(damaged).rejects.toThrow(StoreFault)
      await expect(damaged).rejects.toThrow(/damaged where it is stored/)
    }
    write(whole)
    expect(await same(key, content)).toBe(true)
  })

  it.each(HARMS)('writes anew what %s when its content comes again', async (_, harm) => {
    const contents = [randomBytes(50_000), Buffer.alloc(50_000, randomBytes(400).toString('hex'))]
    const blobs = contents.map((content) => ({ organizationId: 7, bytes: content }))
    const keys = await opened.blobs.put(blobs)
    const stored = keys.map((key) => opened.stored(key))
    for (const { read: readStored, write } of stored) write(harm(Buffer.from(readStored())))
    expect(await opened.blobs.put(blobs)).toEqual(keys)
    for (const [at, content] of contents.entries()) expect(await same(keys[at] ?? '', content)).toBe(true)
  })

  it('stores many that come together, the same ones as well, and gives back the keys in their order', async () => {
    const blobs = Array.from({ length: 40 }, (_, at) => ({ organizationId: 8, bytes: bytes(`blob ${at % 25}`) }))
    const keys = await opened.blobs.put(blobs)
    expect(await Promise.all(keys.map(read))).toEqual(blobs.map((blob) => new TextDecoder().decode(blob.bytes)))
  })

  describe('large files', () => {
    const folder = temporaryFolder()
    afterAll(() => folder.remove())
    const MB = 1024 * 1024
    const CONTENTS: readonly (readonly [string, () => Buffer])[] = [
      ['noise of several parts', () => randomBytes(20 * MB)],
      ['text of several parts that packs well', () => Buffer.alloc(30 * MB, randomBytes(40_000).toString('hex'))],
      ['nothing', () => Buffer.alloc(0)],
      ['exactly one part', () => randomBytes(8 * MB)],
      ['what is compressed', () => gzipSync(randomBytes(3 * MB))],
      ['what looks like a packed blob', () => Buffer.concat([Buffer.from('\0FirsthandZ1'), randomBytes(MB)])],
    ]
    const fileOf = (content: Uint8Array) => {
      const path = join(folder.path, randomBytes(6).toString('hex'))
      writeFileSync(path, content)
      return {
        organizationId: 6,
        path,
        bytes: content.byteLength,
        sha256: createHash('sha256').update(content).digest('hex'),
      }
    }
    const streamed = async (key: string): Promise<Buffer | null> => {
      const pieces = await opened.blobs.open(key)
      return pieces === null ? null : buffer(Readable.from(pieces))
    }

    it.each(CONTENTS)('are put and read piece by piece, as if they had been in memory (%s)', async (_, make) => {
      const content = make()
      const file = fileOf(content)
      const key = `6/${file.sha256}`
      expect(await opened.blobs.putFile(file)).toBe(key)
      expect((await streamed(key))?.equals(content)).toBe(true)
      expect(await same(key, content)).toBe(true)
      // Whoever wrote the file may write no more of it, or remove it: the blob has its own life.
      expect(readFileSync(file.path).equals(content)).toBe(true)
      rmSync(file.path)
      expect((await streamed(key))?.equals(content)).toBe(true)
      expect(await opened.blobs.putFile(file)).toBe(key)
      await opened.blobs.remove([key])
      expect(await streamed(key)).toBeNull()
    })

    it.each(HARMS)('are written anew where what is stored %s', async (_, harm) => {
      for (const content of [randomBytes(9 * MB), Buffer.alloc(3 * MB, randomBytes(400).toString('hex'))]) {
        const file = fileOf(content)
        const key = `6/${file.sha256}`
        await opened.blobs.putFile(file)
        const stored = opened.stored(key)
        stored.write(harm(Buffer.from(stored.read())))
        expect(await opened.blobs.putFile(file)).toBe(key)
        expect((await streamed(key))?.equals(content)).toBe(true)
      }
    })

    it('are packed like others', async () => {
      const file = fileOf(Buffer.alloc(10 * MB, 'text that repeats itself '))
      await opened.blobs.putFile(file)
      expect(opened.stored(`6/${file.sha256}`).read().byteLength).toBeLessThan(100_000)
    })

    it.each([
      ['is not there', (path: string) => rmSync(path)],
      ['was cut', (path: string) => writeFileSync(path, 'short')],
      [
        'has another content',
        (path: string) => {
          const bytes = readFileSync(path)
          bytes.writeUInt8(bytes.readUInt8(MB) ^ 1, MB)
          writeFileSync(path, bytes)
        },
      ],
    ])('are no blob when the file %s', async (_, harm) => {
      for (const content of [randomBytes(20 * MB), Buffer.alloc(20 * MB, randomBytes(400).toString('hex'))]) {
        const file = fileOf(content)
        harm(file.path)
        expect(await opened.blobs.putFile(file)).toBeNull()
        expect(await opened.blobs.open(`6/${file.sha256}`)).toBeNull()
      }
    })

    it('that are damaged where they are stored do not come to their end', async () => {
      for (const content of [randomBytes(MB), Buffer.alloc(3 * MB, randomBytes(400).toString('hex'))]) {
        const key = await put(content)
        const { read: readStored, write } = opened.stored(key)
        const whole = Buffer.from(readStored())
        for (const harmed of [whole.subarray(0, whole.byteLength - 5), Buffer.concat([whole, Buffer.from('x')])]) {
          write(harmed)
          await expect(streamed(key)).rejects.toThrow(StoreFault)
        }
        for (const at of [0, 21, Math.floor(whole.byteLength / 2), whole.byteLength - 1]) {
          const flipped = Buffer.from(whole)
          flipped.writeUInt8(flipped.readUInt8(at) ^ 1, at)
          write(flipped)
          await expect(streamed(key)).rejects.toThrow(/damaged where it is stored/)
        }
        write(whole)
        expect((await streamed(key))?.equals(content)).toBe(true)
      }
    })

    it('may be left unread', async () => {
      const file = fileOf(randomBytes(20 * MB))
      const pieces = await opened.blobs.open((await opened.blobs.putFile(file)) ?? '')
      for await (const piece of pieces ?? []) {
        expect(piece.byteLength).toBeGreaterThan(0)
        break
      }
    })
  })

  it('removes, also what is not there', async () => {
    const [key = ''] = await opened.blobs.put([{ organizationId: 3, bytes: bytes('gone') }])
    await opened.blobs.remove([key, key, `3/${'0'.repeat(64)}`])
    expect(await read(key)).toBeNull()
  })

  it('says what its blobs take, packed as they are', async () => {
    const keys = await opened.blobs.put([
      { organizationId: 3, bytes: bytes('long '.repeat(10_000)) },
      { organizationId: 3, bytes: bytes('short') },
    ])
    const sizes = await opened.blobs.sizes([...keys, `3/${'0'.repeat(64)}`, '../no key'])
    expect([...sizes]).toEqual(keys.map((key) => [key, opened.stored(key).read().byteLength]))
    expect([...sizes.values()].every((size) => size > 0 && size < 1000)).toBe(true)
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

describe('large file blobs', () => {
  const folder = temporaryFolder()
  afterAll(() => folder.remove())
  const source = join(folder.path, 'source')
  const content = randomBytes(2 * 1024 * 1024)
  const file = {
    organizationId: 1,
    path: source,
    bytes: content.byteLength,
    sha256: createHash('sha256').update(content).digest('hex'),
  }

  it('take no second room on the same volume when nothing is gained by packing', async () => {
    writeFileSync(source, content)
    const key = (await createFileBlobs(join(folder.path, 'blobs')).putFile(file)) ?? ''
    expect(statSync(filePath(join(folder.path, 'blobs'), key)).ino).toBe(statSync(source).ino)
  })

  it('are written anew where they were damaged, and leave no half file', async () => {
    const blobs = createFileBlobs(join(folder.path, 'others'))
    writeFileSync(source, content)
    const path = filePath(join(folder.path, 'others'), (await blobs.putFile(file)) ?? '')
    rmSync(path)
    writeFileSync(path, content.subarray(1))
    // What a killed process left.
    writeFileSync(`${path}.tmp`, content.subarray(2))
    await blobs.putFile(file)
    expect(readFileSync(path).equals(content)).toBe(true)
    writeFileSync(source, content.subarray(1))
    writeFileSync(path, 'damaged')
    expect(await blobs.putFile(file)).toBeNull()
    expect(readdirSync(dirname(path))).toEqual([file.sha256])
  })
})

describe('S3 blobs', () => {
  it('are asked for once when they are whole, and not read or written again', async () => {
    const s3 = await startS3()
    const blobs = createS3Blobs(readS3Url(s3.url))
    const blob = { organizationId: 1, bytes: Buffer.alloc(50_000, randomBytes(400).toString('hex')) }
    const [key = ''] = await blobs.put([blob])
    expect(s3.asked).toEqual([`HEAD /bucket/${key}`, `PUT /bucket/${key}`])
    await blobs.put([blob])
    expect(s3.asked.slice(2)).toEqual([`HEAD /bucket/${key}`])
    await new Promise<void>((resolve) => s3.server.close(() => resolve()))
  })

  it('leave no parts behind, and no object, when a part is refused', async () => {
    const s3 = await startS3()
    const folder = temporaryFolder()
    const path = join(folder.path, 'file')
    const content = randomBytes(20 * 1024 * 1024)
    writeFileSync(path, content)
    const file = {
      organizationId: 1,
      path,
      bytes: content.byteLength,
      sha256: createHash('sha256').update(content).digest('hex'),
    }
    const blobs = createS3Blobs(readS3Url(s3.url))
    s3.fail.part = 2
    await expect(blobs.putFile(file)).rejects.toThrow(/answered 400/)
    expect([s3.uploads.size, s3.objects.size]).toEqual([0, 0])
    s3.fail.part = null
    expect(await blobs.putFile(file)).toBe(`1/${file.sha256}`)
    expect([s3.uploads.size, s3.objects.size]).toEqual([0, 1])
    folder.remove()
    await new Promise<void>((resolve) => s3.server.close(() => resolve()))
  })

  it('say what is wrong with the address or the bucket', async () => {
    expect(() => readS3Url('https://host/bucket')).toThrow(/access key, no secret/)
    expect(() => readS3Url('https://a:b@host/')).toThrow(/no bucket/)
    const s3 = await startS3()
    const denied = createS3Blobs({ ...readS3Url(s3.url), accessKeyId: 'other' })
    await expect(denied.get(`1/${'a'.repeat(64)}`)).rejects.toThrow(/answered 403/)
    await new Promise<void>((resolve) => s3.server.close(() => resolve()))
  })
})
