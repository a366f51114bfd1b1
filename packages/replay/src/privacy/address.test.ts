import { describe, expect, it } from 'vitest'
import { breadcrumb, span } from '../events.ts'
import { withoutNotedSecrets, withoutSearch, withoutSecrets } from './address.ts'

const GONE = '%5BFiltered%5D'

describe('R93 Addresses', () => {
  it.each([
    ['https://shop.example/a?token=hush', `https://shop.example/a?token=${GONE}`],
    ['/a?page=2&access_token=hush&q=tea#code=hush', `/a?page=2&access_token=${GONE}&q=tea#code=${GONE}`],
    ['https://ann:hush@shop.example/a', 'https://shop.example/a'],
    ['#/reset?resetPasswordToken=hush', `#/reset?resetPasswordToken=${GONE}`],
    ['/a.png?X-Amz-Signature=hush 1x, /b.png?sig=hush 2x', `/a.png?X-Amz-Signature=${GONE} 1x, /b.png?sig=${GONE} 2x`],
    ['/a?encode=1&keyword=tea&design=2', '/a?encode=1&keyword=tea&design=2'],
    ['/a?token=', '/a?token='],
    ['/a.png?sig=hush, /b.png?sig=hush', `/a.png?sig=${GONE}, /b.png?sig=${GONE}`],
    ['/b?author=7&authority=8&session_type=x&sessions=2', '/b?author=7&authority=8&session_type=x&sessions=2'],
    [
      '/b?auth=a&x-auth=b&oauth_verifier=c&user[session]=d&PHPSESSID=e&sessionId=f&authorization=g&authCode=h',
      `/b?auth=${GONE}&x-auth=${GONE}&oauth_verifier=${GONE}&user[session]=${GONE}&PHPSESSID=${GONE}&sessionId=${GONE}&authorization=${GONE}&authCode=${GONE}`,
    ],
    ['/login?next=%2Freset%3Ftoken%3Dhush', `/login?next=${encodeURIComponent(`/reset?token=${GONE}`)}`],
    [
      '/login?next=%2Fa%3Fb%3D%252Fr%253Ftoken%253Dhush',
      `/login?next=${encodeURIComponent(`/a?b=${encodeURIComponent(`/r?token=${GONE}`)}`)}`,
    ],
    ['/login?next=%2Freset%3Ftoken%3Dhush%', `/login?next=${GONE}`],
    ['/login?next=%2Freset%3Fpage%3d2', '/login?next=%2Freset%3Fpage%3d2'],
    ['//x@y', '//x@y'],
  ])('keep no secrets: %s', (address, expected) => {
    expect(withoutSecrets(address)).toBe(expected)
  })

  it.each([
    ['/u/1?q=Ann Lee&page=2', `/u/1?q=${GONE}&page=${GONE}`],
    ['/u?Ann', `/u?${GONE}`],
    ['/u?a;b=Ann#tab-1', `/u?${GONE};b=${GONE}#tab-1`],
    ['/u#/user/Ann', `/u#${GONE}`],
    ['/u?&', '/u?&'],
    ['/u', '/u'],
  ])('of links nothing is told but where they lead: %s', (address, expected) => {
    expect(withoutSearch(address)).toBe(expected)
  })

  it('notes keep no secrets, and what the page handed over stays as it is', () => {
    const data = { from: '/?token=hush', to: '/?q=tea', other: '/?token=kept' }
    expect(withoutNotedSecrets(breadcrumb('navigation', { data }, 1)).data).toMatchObject({
      payload: { data: { from: `/?token=${GONE}`, to: '/?q=tea', other: '/?token=kept' } },
    })
    expect(data.from).toBe('/?token=hush')
    expect(JSON.stringify(withoutNotedSecrets(span('resource.fetch', '/?jwt=hush', 1, 2)))).not.toContain('hush')
    const meta = { type: 4, timestamp: 1, data: { href: 'https://x.example/?secret=hush', width: 1 } }
    expect(withoutNotedSecrets(meta).data).toEqual({ href: `https://x.example/?secret=${GONE}`, width: 1 })
    expect(withoutNotedSecrets({ type: 5, timestamp: 1, data: null })).toMatchObject({ data: null })
  })

  it('an address that is made to be slow is not', { timeout: 5000 }, () => {
    const slow = [
      '?'.repeat(200_000),
      '?a='.repeat(70_000),
      `a://${'b'.repeat(200_000)}`,
      `?${'a'.repeat(200_000)}`,
      '#'.repeat(200_000),
      `?a=${','.repeat(200_000)}b`,
      `?a=${'%25'.repeat(70_000)}3d`,
    ]
    expect(slow.map((address) => withoutSearch(address))).toHaveLength(7)
  })
})
