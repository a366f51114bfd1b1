/** The smallest files of each kind that Sentry's own tools take for one. */

const write = (to: Buffer, numbers: readonly (readonly [at: number, bytes: 2 | 4 | 8, value: number])[]): Buffer => {
  for (const [at, bytes, value] of numbers) {
    if (bytes === 8) to.writeBigUInt64LE(BigInt(value), at)
    else to.writeUIntLE(value, at, bytes)
  }
  return to
}

const hex = (text: string): Buffer => Buffer.from(text, 'hex')

/** @param buildId hex */
export const elfOf = (buildId: string, { withBuildId = true } = {}): Buffer => {
  const id = hex(buildId)
  const note = Buffer.concat([
    write(Buffer.alloc(12), [
      [0, 4, 4],
      [4, 4, id.length],
      [8, 4, 3],
    ]),
    Buffer.from('GNU\0'),
    id,
  ])
  const names = '\0.note.gnu.build-id\0.text\0.debug_info\0.shstrtab\0'
  const code = Buffer.from(Array.from({ length: 64 }, (_, index) => (index * 7) % 256))
  const contents = [note, code, Buffer.from(`debug ${buildId}`), Buffer.from(names)]
  const places: number[] = []
  let end = 64
  for (const content of contents) {
    places.push(end)
    end += content.length
  }
  const [noteAt = 0, textAt = 0, debugAt = 0, namesAt = 0] = places
  const section = (name: string, type: number, at: number, size: number): Buffer =>
    write(Buffer.alloc(64), [
      [0, 4, names.indexOf(`${name}\0`)],
      [4, 4, type],
      [24, 8, at],
      [32, 8, size],
      [48, 8, 4],
    ])
  const sections = [
    Buffer.alloc(64),
    ...(withBuildId ? [section('.note.gnu.build-id', 7, noteAt, note.length)] : []),
    section('.text', 1, textAt, 64),
    section('.debug_info', 1, debugAt, contents[2]?.length ?? 0),
    section('.shstrtab', 3, namesAt, names.length),
  ]
  const header = write(Buffer.alloc(64), [
    [16, 2, 3],
    [18, 2, 62],
    [20, 4, 1],
    [40, 8, end],
    [52, 2, 64],
    [58, 2, 64],
    [60, 2, sections.length],
    [62, 2, sections.length - 1],
  ])
  hex('7f454c46020101').copy(header)
  return Buffer.concat([header, ...contents, ...sections])
}

/** @param uuid hex */
export const machOOf = (uuid: string): Buffer => {
  const debug = Buffer.from(`debug ${uuid}`)
  const at = 32 + 24 + 152
  const header = write(Buffer.alloc(32), [
    [0, 4, 0xfeedfacf],
    [4, 4, 0x0100000c],
    [12, 4, 10],
    [16, 4, 2],
    [20, 4, 24 + 152],
  ])
  const id = Buffer.concat([
    write(Buffer.alloc(8), [
      [0, 4, 0x1b],
      [4, 4, 24],
    ]),
    hex(uuid),
  ])
  const segment = write(Buffer.alloc(72), [
    [0, 4, 0x19],
    [4, 4, 152],
    [32, 8, debug.length],
    [40, 8, at],
    [48, 8, debug.length],
    [64, 4, 1],
  ])
  segment.write('__DWARF', 8)
  const section = write(Buffer.alloc(80), [
    [40, 8, debug.length],
    [48, 4, at],
  ])
  section.write('__debug_info', 0)
  section.write('__DWARF', 16)
  return Buffer.concat([header, id, segment, section, debug])
}

/** @param guid hex, as Microsoft's tools store it */
export const peOf = (guid: string, age: number): Buffer => {
  const view = Buffer.concat([
    Buffer.from('RSDS'),
    hex(guid),
    write(Buffer.alloc(4), [[0, 4, age]]),
    Buffer.from('shop.pdb\0'),
  ])
  const file = Buffer.alloc(1024)
  file.write('MZ')
  file.write('PE\0\0', 64)
  view.copy(file, 512 + 64)
  return write(file, [
    [60, 4, 64],
    [68, 2, 0x8664],
    [70, 2, 1],
    [72, 4, 0x5f5e1000],
    [84, 2, 240],
    [86, 2, 0x2022],
    [88, 2, 0x20b],
    [88 + 32, 4, 0x1000],
    [88 + 36, 4, 0x200],
    [88 + 56, 4, 0x3000],
    [88 + 60, 4, 0x200],
    [88 + 68, 2, 3],
    [88 + 108, 4, 16],
    // Where functions are, and what is known for debugging.
    [88 + 112 + 3 * 8, 4, 0x1000],
    [88 + 112 + 3 * 8 + 4, 4, 12],
    [88 + 112 + 6 * 8, 4, 0x1000 + 32],
    [88 + 112 + 6 * 8 + 4, 4, 28],
    // The one section.
    [328 + 8, 4, 512],
    [328 + 12, 4, 0x1000],
    [328 + 16, 4, 512],
    [328 + 20, 4, 512],
    [328 + 36, 4, 0x40000040],
    // A function.
    [512, 4, 0x1000],
    [516, 4, 0x1010],
    [520, 4, 0x1000 + 128],
    // The entry that leads to the id.
    [512 + 32 + 12, 4, 2],
    [512 + 32 + 16, 4, view.length],
    [512 + 32 + 20, 4, 0x1000 + 64],
    [512 + 32 + 24, 4, 512 + 64],
  ])
}

const PAGE = 512

/** @param guid hex, as Microsoft's tools store it */
export const pdbOf = (
  guid: string,
  { age, dbiAge = age }: { readonly age: number; readonly dbiAge?: number },
): Buffer => {
  const pages = Array.from({ length: 9 }, () => Buffer.alloc(PAGE))
  const page = (number: number): Buffer => pages[number] ?? Buffer.alloc(0)
  page(0).write('Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0', 'latin1')
  // Five streams: an empty one, the id, an empty one, the list of modules, and symbols.
  const list = [5, 0, 64, 0, 64, 4, 5, 6, 7]
  write(page(0), [
    [32, 4, PAGE],
    [36, 4, 1],
    [40, 4, pages.length],
    [44, 4, list.length * 4],
    [52, 4, 3],
  ])
  write(page(3), [[0, 4, 4]])
  write(
    page(4),
    list.map((value, index) => [index * 4, 4, value] as const),
  )
  write(page(5), [
    [0, 4, 20000404],
    [4, 4, 1],
    [8, 4, age],
  ])
  hex(guid).copy(page(5), 12)
  write(page(6), [
    [0, 4, 0xffffffff],
    [4, 4, 19990903],
    [8, 4, dbiAge],
    [12, 2, 0xffff],
    [16, 2, 0xffff],
    [20, 2, 4],
    [58, 2, 0x8664],
  ])
  return Buffer.concat(pages)
}

/** @param id hex: 16 bytes, and 4 of a time */
export const portablePdbOf = (id: string): Buffer => {
  const pdb = Buffer.concat([hex(id), Buffer.alloc(12)])
  const tables = Buffer.alloc(24)
  const head = write(Buffer.alloc(60), [
    [4, 2, 1],
    [6, 2, 1],
    [12, 4, 12],
    [30, 2, 2],
    [32, 4, 60],
    [36, 4, pdb.length],
    [48, 4, 60 + pdb.length],
    [52, 4, tables.length],
  ])
  head.write('BSJB')
  head.write('PDB v1.0', 16)
  head.write('#Pdb', 40)
  head.write('#~', 56)
  return Buffer.concat([head, pdb, tables])
}

/** @param id 33 hexadecimal digits */
export const breakpadOf = (id: string): Buffer =>
  Buffer.from(
    `MODULE Linux x86_64 ${id} crash\nINFO CODE_ID C0FFEE\nFILE 0 crash.c\nFUNC 1000 10 0 main\n1000 10 42 0\n`,
  )
