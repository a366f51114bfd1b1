import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../limits.ts'
import { breakpadOf, elfOf, machOOf, pdbOf, peOf, portablePdbOf } from './debug-files.fixture.ts'
import { boundedBytes } from './file-bytes.ts'
import { identify } from './identify.ts'

const ID = '00112233445566778899aabbccddeeff'
/** The same where its first fields are numbers of the machine. */
const AS_FIELDS = '33221100554477668899aabbccddeeff'

/** A file in memory, with how much of it was read. */
const openOf = (content: Buffer) => {
  const seen = { bytes: 0, reads: 0 }
  const file = boundedBytes(
    {
      read: (async (to: Buffer, offset: number, length: number, at: number) => {
        const bytesRead = content.copy(to, offset, at, at + length)
        seen.bytes += bytesRead
        seen.reads += 1
        return { bytesRead, buffer: to }
      }) as never,
    },
    content.length,
  )
  return { file, seen }
}

const identified = async (content: Buffer, { name = 'shop', saidId = '' } = {}) => {
  const found = await identify(openOf(content).file, { name, saidId })
  return found.ok ? found.value : found.error
}

describe('a debug file', () => {
  // Ids, architectures and features are those that `sentry-cli debug-files check` prints of the same bytes.
  it.each([
    [
      'elf',
      elfOf(`${ID}01020304`),
      {
        kind: 'elf',
        symbolType: 'lib',
        architecture: 'x86_64',
        debugId: AS_FIELDS,
        codeId: `${ID}01020304`,
        features: ['debug'],
      },
    ],
    [
      'elf without a build id',
      elfOf(ID, { withBuildId: false }),
      { kind: 'elf', architecture: 'x86_64', debugId: '00c0c0c0c00000c00000404000004040', codeId: null },
    ],
    [
      'macho',
      machOOf(ID),
      { kind: 'macho', symbolType: 'dbg', architecture: 'arm64', debugId: ID, codeId: ID, features: ['debug'] },
    ],
    [
      'pe',
      peOf(ID, 3),
      {
        kind: 'pe',
        symbolType: 'lib',
        architecture: 'x86_64',
        debugId: `${AS_FIELDS}3`,
        codeId: '5f5e10003000',
        features: ['unwind'],
      },
    ],
    [
      'pdb, whose list of modules has the age that counts',
      pdbOf(ID, { age: 3, dbiAge: 5 }),
      {
        kind: 'pdb',
        symbolType: 'dbg',
        architecture: 'x86_64',
        debugId: `${AS_FIELDS}5`,
        features: ['symtab', 'debug'],
      },
    ],
    ['portable pdb', portablePdbOf(`${ID}0a000000`), { kind: 'portablepdb', debugId: `${AS_FIELDS}a` }],
    [
      'breakpad',
      breakpadOf(`${ID.toUpperCase()}4`),
      { kind: 'breakpad', architecture: 'x86_64', debugId: `${ID}4`, codeId: 'c0ffee', features: ['debug'] },
    ],
  ])('L104 %s is known by what it says of itself', async (_, content, identity) => {
    expect(await identified(content)).toMatchObject(identity)
  })

  it('of a kind that carries no id has the one that was said', async () => {
    const name = `/proguard/${ID}.txt`
    expect(await identified(Buffer.from('a.b -> c:\n'), { name, saidId: ID })).toMatchObject({
      kind: 'proguard',
      debugId: ID,
    })
    const archive = Buffer.from('SYSB\u0002\0\0\0PK')
    expect(await identified(archive, { saidId: ID })).toMatchObject({ kind: 'sourcebundle', debugId: ID })
    expect(await identified(archive)).toContain('names no debug id')
  })

  it.each([
    ['nothing', Buffer.alloc(0), 'none of the debug files'],
    ['text', Buffer.from('hello'), 'none of the debug files'],
    ['several architectures', Buffer.from('cafebabe00000002', 'hex'), 'several architectures'],
    ['a first line of Breakpad that is none', Buffer.from('MODULE Linux\n'), 'its first line'],
    ['an ELF file that ends', elfOf(ID).subarray(0, 40), 'damaged or was cut off'],
    ['a Mach-O file that ends', machOOf(ID).subarray(0, 60), 'damaged or was cut off'],
    ['a PE that ends', peOf(ID, 1).subarray(0, 100), 'damaged or was cut off'],
    ['a PDB that ends', pdbOf(ID, { age: 1 }).subarray(0, 1000), 'damaged or was cut off'],
    ['a portable PDB that ends', portablePdbOf(`${ID}00000000`).subarray(0, 40), 'damaged or was cut off'],
  ])('that is %s is refused with a sentence', async (_, content, sentence) => {
    expect(await identified(content)).toContain(sentence)
  })

  it('makes nobody read more of it than is allowed, whatever it says of its tables', async () => {
    const kinds = [
      elfOf(ID),
      machOOf(ID),
      peOf(ID, 1),
      pdbOf(ID, { age: 1 }),
      portablePdbOf(`${ID}00000000`),
      breakpadOf(`${ID}0`),
    ]
    let random = 7
    const next = (below: number): number => {
      random = (Math.imul(random, 1103515245) + 12345) & 0x7fffffff
      return random % below
    }
    for (const whole of kinds) {
      // Room for tables that are said to be large.
      const content = Buffer.concat([whole, Buffer.alloc(64 * 1024, 0xff)])
      for (let round = 0; round < 150; round += 1) {
        const hostile = Buffer.from(content)
        for (let count = 0; count < 6; count += 1)
          hostile[4 + next(whole.length - 4)] = [0, 1, 0x7f, 0xff][next(4)] ?? 0
        const { file, seen } = openOf(hostile)
        const found = await identify(file, { name: 'x', saidId: '' })
        expect(typeof (found.ok ? found.value.kind : found.error)).toBe('string')
        expect(seen.bytes).toBeLessThanOrEqual(LIMITS.DEBUG_FILE_READ_BYTES)
        expect(seen.reads).toBeLessThanOrEqual(LIMITS.DEBUG_FILE_READS)
      }
    }
  })
})
