import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES, seedOrganization, type OpenedLedger } from '../../storage/conformance/engines.ts'
import { createCodeMappings } from './code-mappings.ts'
import { createRepositories } from './repositories.ts'

/** An engine starts here, on machines that may be busy. */
const ENGINE_STARTS_MS = 120_000

describe.each(LEDGER_ENGINES)('code mappings, with a ledger on $name', (engine) => {
  let opened: OpenedLedger
  beforeEach(async () => {
    opened = await engine.open()
    await seedOrganization(opened.ledger)
  }, ENGINE_STARTS_MS)
  afterEach(() => opened.close())

  it('are put once by root, be it by several builds at once, and say which repositories a project is of', async () => {
    const { ledger } = opened
    const mappings = createCodeMappings({ ledger })
    const repositories = createRepositories({ ledger })
    const [shop, library] = await Promise.all(
      ['acme/shop', 'acme/library'].map((name) => repositories.add(1, { name, url: null, now: 1 })),
    )
    const put = (stackRoot: string, repositoryId: number, sourceRoot: string) =>
      mappings.put(1, { projectId: 1, repositoryId, stackRoot, sourceRoot, defaultBranch: 'main' }, 1)
    const [first, second] = await Promise.all([put('src/', shop?.id ?? 0, 'a/'), put('src/', shop?.id ?? 0, 'b/')])
    expect(first?.id).toBe(second?.id)
    expect(await put('src/', shop?.id ?? 0, 'c/')).toEqual({ id: first?.id, isNew: false })
    expect(await mappings.list(1, [1], { offset: 0, limit: 10 })).toMatchObject([
      { stack_root: 'src/', source_root: 'c/' },
    ])
    await put('library/', library?.id ?? 0, '')
    const found = await mappings.repositoriesOf(1, [1, 2])
    expect([...found.keys()]).toEqual([1])
    expect(new Set(found.get(1))).toEqual(new Set([shop?.id, library?.id]))
    expect((await mappings.repositoriesOf(2, [1])).size).toBe(0)
  })
})
