import { expect, it } from 'vitest'
import { organizationSummaryJson } from './json.ts'

it.each([
  ['https://errors.example', 'https://errors.example'],
  ['http://errors.example', ''],
])('an organisation at %s has the region "%s"', (publicUrl, regionUrl) => {
  const { links } = organizationSummaryJson(
    { id: 1, slug: 'acme', name: 'Acme', createdAt: 0, bytesPerDay: null },
    publicUrl,
  )
  expect(links).toEqual({ organizationUrl: publicUrl, regionUrl })
})
