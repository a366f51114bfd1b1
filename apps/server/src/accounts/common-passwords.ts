/**
 * The most common passwords that are long enough to pass the length rule, in lower case; letters and digits only where
 * that is how they differ (`password-123` is compared as `password123` too). They are what guessing starts with; throttling
 * makes the rest of a longer list useless.
 */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
  0123456789 1234567890 12345678910 123456789a 1234567891 9876543210 0987654321 1122334455 1111111111 1029384756
  1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc 123qweasdzxc q1w2e3r4t5 q1w2e3r4t5y6 qwertyuiop qwertyuiop123 qwerty12345
  qwerty123456 qwerty1234567 qwertz12345 asdfghjkl1 asdfghjkl123 zxcvbnm123 azertyuiop qazwsxedcrfv qazwsxedc123
  password12 password123 password1234 password12345 password123456 password1! passwordpassword passw0rd123 p@ssw0rd123
  p@ssword123 pa55word123 mypassword mypassword1 mypassword123 newpassword newpassword1 yourpassword changeme123
  changemenow letmein123 letmein1234 letmeinnow welcome123 welcome1234 welcome12345 welcome2024 welcome2025 welcome2026
  administrator admin12345 admin123456 admin1234567 adminadmin admin@123456 superadmin1 rootroot123 root123456
  iloveyou12 iloveyou123 iloveyou1234 iloveyouforever trustno1trustno1 sunshine123 princess123 football123 baseball123
  superman123 batman12345 michael123 jennifer123 charlie123 dragon12345 monkey12345 shadow12345 master12345
  computer123 internet123 samsung123 liverpool1 liverpool123 chelsea123 arsenal123 manchester1 barcelona1
  abcdefghij abcdefghijk abcd123456 abc1234567 abcd12345678 abc123abc123 a123456789 aa12345678 a1234567890 a1b2c3d4e5
  summer2024! summer2025! winter2024! winter2025! spring2025! autumn2025! summer2025 winter2025 january2026
  testtest123 test123456 test1234567 testing123 testing1234 demo123456 guest12345 default123 secret1234 secret12345
  correcthorsebatterystaple thisisapassword whatever123 starwars123 pokemon123 minecraft123 unknown123 firsthand123
  qwer1234asdf 1234qwerasdf zaq12wsxcde3 zaq1zaq1zaq1 asdfasdfasdf qweqweqwe123 123123123123 121212121212 123321123321
  `
    .trim()
    .split(/\s+/),
)
