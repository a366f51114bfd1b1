import { simpleParser } from 'mailparser'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { boundedMessage } from './bounded-message.ts'
import { mailOfMessage } from './mail-of-message.ts'
import { HOSTILE, speaking } from './test/hostile.ts'
import { headerLines, startMailbox, type Mailbox } from './test/mailbox.ts'
import { PUBLIC_URL } from './test/outbox.ts'
import { plainLine } from './text.ts'

const AROUND = {
  publicUrl: PUBLIC_URL,
  unsubscribeUrl: `${PUBLIC_URL}/n/token`,
  settingsUrl: `${PUBLIC_URL}/organizations/acme/settings/notifications`,
}

describe('messages as mail', () => {
  let mailbox: Mailbox
  beforeEach(async () => {
    mailbox = await startMailbox()
  })
  afterEach(() => mailbox.close())

  const send = async (text: string, subject: string) => {
    const message = boundedMessage(speaking(text))
    await mailbox.mailer.send({
      to: { name: plainLine(text), address: 'ann@acme.example' },
      fromName: plainLine(text),
      replyTo: '',
      subject,
      ...mailOfMessage(message, AROUND),
      id: 'msg_1',
      conversation: 'thread.1',
      list: 'new.acme',
      unsubscribeUrl: AROUND.unsubscribeUrl,
    })
    const raw = mailbox.mails.at(-1)?.raw ?? ''
    return { raw, parsed: await simpleParser(raw) }
  }
  const namesOf = (raw: string): readonly string[] => headerLines(raw).map((line) => line.slice(0, line.indexOf(':')))

  it('A41: have the same headers whatever an event says, and nothing that turns writing around', async () => {
    const usual = namesOf((await send('TypeError', 'TypeError')).raw)
    for (const text of HOSTILE) {
      const { raw, parsed } = await send(text, plainLine(`New: ${text}`))
      expect(namesOf(raw)).toEqual(usual)
      expect(parsed.to).toMatchObject({ value: [{ address: 'ann@acme.example' }] })
      // oxlint-disable-next-line no-control-regex -- these may not be there
      expect(`${parsed.subject}${parsed.text}`).not.toMatch(/[\u0000-\u0009]/)
      expect(`${parsed.subject}${parsed.text}${parsed.html}`).not.toMatch(
        /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/u,
      )
    }
  })

  it('A41: are refused where a header has a line break in it', async () => {
    for (const subject of ['a\r\nBcc: x@x.example', 'a\nb', 'a\u0000b', 'a\u202Eb']) {
      await expect(send('x', subject)).rejects.toThrow('another control character')
    }
    expect(mailbox.mails).toEqual([])
  })

  it('A43: lead to our own address alone, and show others so that nobody is led there', async () => {
    for (const text of [...HOSTILE, 'evil.com/login', 'ann@evil.com', 'shop.büro.de']) {
      const { parsed } = await send(text, 'New')
      const links = [...String(parsed.html).matchAll(/(?:href|src)="([^"]*)"/g)].map(([, link = '']) => link)
      expect(links.length).toBeGreaterThan(3)
      for (const link of links)
        expect({ text, link: link.slice(0, PUBLIC_URL.length + 1) }).toEqual({ text, link: `${PUBLIC_URL}/` })
      const said = (parsed.text ?? '').replaceAll(`${PUBLIC_URL}/`, '')
      expect(said).not.toMatch(/https?:\/\//i)
      expect(said).not.toMatch(/[\p{L}\p{N}-]\.\p{L}{2}/u)
      expect(String(parsed.html)).not.toMatch(/<(?:script|img|b)\b/)
      // Between two tags no name of a host holds together.
      const body = String(parsed.html).replace(/^.*?<body/s, '')
      expect(body.replaceAll(/<[^>]*>/g, '|')).not.toMatch(/[\p{L}\p{N}-]\.\p{L}{2}/u)
    }
  })

  it('names of files are copied from them as they were written', async () => {
    const { parsed } = await send('at total (main.js:42) of evil.com, app.min.css', 'New')
    const body = String(parsed.html).replace(/^.*?<body/s, '')
    expect(body.replaceAll(/<[^>]*>/g, '')).toContain('at total (main.js:42) of evil.com, app.min.css')
    expect(parsed.text).toContain('at total (main.js:42) of evil[.]com')
  })

  it('can be stopped by one click, as RFC 8058 wants it', async () => {
    const { raw } = await send('x', 'New')
    const lines = headerLines(raw)
    expect(lines).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
    expect(lines).toContain(`List-Unsubscribe: <${AROUND.unsubscribeUrl}>`)
    expect(lines.map((line) => line.toLowerCase())).toContain('list-id: <new.acme.acme.example>')
  })
})
