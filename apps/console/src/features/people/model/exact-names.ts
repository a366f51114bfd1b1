const KIND = /^(?:id|username|email|ip):./
const ADDRESS = /^[^\s@]+@[^\s@]+$/
/** Numbers of four bytes, or of groups with colons. */
const IP = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]*:[\da-f:]*:[\da-f.:]*)$/i

/**
 * What rows may call somebody of whom a text is a whole name. Whoever was not seen lately, or only in what names its user and
 * no more, is found by no part of it.
 */
export function exactNames(text: string): readonly string[] {
  const wanted = text.trim()
  if (wanted === '') return []
  if (KIND.test(wanted)) return [wanted]
  const id = `id:${wanted}`
  if (ADDRESS.test(wanted)) return [`email:${wanted}`, id]
  return IP.test(wanted) ? [`ip:${wanted}`, id] : [id, `username:${wanted}`]
}
