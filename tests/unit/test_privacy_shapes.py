"""Numbers, addresses, keys and passwords: each form is found whole, and its look-alikes are not."""

import re

import pytest

from ledger.policy.privacy import Privacy
from ledger.privacy import find_private
from ledger.privacy.reading import words

MARK = re.compile(r"\{([A-Z_]+)\|(.*?)\}", re.DOTALL)


def parsed(marked: str) -> tuple[str, list[tuple[str, str]]]:
    return MARK.sub(lambda match: match[2], marked), MARK.findall(marked)


def found(text: str) -> list[tuple[str, str]]:
    return [(f.kind.value, text[f.start : f.end]) for f in find_private(text, Privacy())]


@pytest.mark.parametrize(
    "marked",
    [
        "我的手机号是{PHONE|13812345678}请联系",
        "电话：{PHONE|138 1234 5678} 或{PHONE|+86 138-1234-5678}或 {PHONE|１３８１２３４５６７８}",
        "座机{PHONE|010-62345678}，深圳{PHONE|0755-26123456}",
        "Call {PHONE|(415) 555-2671}, {PHONE|+44 20 7946 0958} or {PHONE|212-555-0187}.",
        "my phone is {PHONE|555-0147}",
        "号{ID_CARD|11010519491231002X}码",
        "旧证{ID_CARD|130503670401001}号",
        "護照{PASSPORT|E12345678}，passport number {PASSPORT|C03005988}",
        "卡号{BANK_CARD|4111 1111 1111 1111}，或{BANK_CARD|5105-1051-0510-5100}",
        "邮箱{EMAIL|zhang.san@example.com}收到",
        "地址{IP|203.0.113.77}和{IP|2001:db8:85a3::8a2e:370:7334}",
        "我住在{ADDRESS|北京市朝阳区建国路88号院3号楼2单元501室}。",
        "我住{ADDRESS|臺北市大安區忠孝東路四段100號5樓之2}",
        "I live at {ADDRESS|221B Baker Street}",
        "Ship to {ADDRESS|Unit 5/88 George St, Sydney NSW 2000}, please",
        "at {ADDRESS|Flat 3B, 27 Elm Grove, Bristol BS6 5TL}.",
        "Her studio: {ADDRESS|Room 1203, 12/F, 88 Queen's Road Central, Hong Kong}",
        "an {ADDRESS|Keizersgracht 174, 1016 DW Amsterdam}",
        "from {ADDRESS|Calle Mayor 8, 3º B, 28013 Madrid, Spain}",
        "{ADDRESS|1-14-5 Ginza, Chuo-ku, Tokyo 104-0061} has it",
        "我住在{ADDRESS|浙江省杭州市西湖区文三路 478 号华星大厦 3 幢 1202 室}。",
        "快递寄到{ADDRESS|朝阳区建国路88号SOHO现代城B座1503}就行",
        "户籍地{ADDRESS|湖南省邵阳市隆回县六都寨镇大元村8组}",
        "住在{ADDRESS|望京西园四区410号楼1单元602}",
        "server at {IP|10.20.30.40}:8080, v6:{IP|2001:DB8::A1}, {IP|::ffff:198.51.100.7}",
        "bind {IP|0.0.0.0}:80, {IP|127.0.0.1} or [{IP|::1}]:443",
        "the party's at {ADDRESS|2 Meadow View, Witney}, we're at {ADDRESS|55 beacon hill road}",
        "{ADDRESS|和平里七区12号楼}",
        "IPv6地址：{IP|240e:3b7:2f0::9}，{IP|fe80::1ff:fe23:4567:890a%eth0}",
        "Go to {ADDRESS|1600 Pennsylvania Ave NW, Washington, DC 20500}.",
        "She's at {ADDRESS|The Old Forge, Church Lane, Little Haddow, OX7 4PQ}.",
        "drop it off at {ADDRESS|391 county road 12} after five",
        "ship to {ADDRESS|RR 3 Box 44, Marfa, TX 79843}",
        "stays at {ADDRESS|H.No. 8-2-293, Road No. 12, Banjara Hills, Hyderabad 500034}",
        "home is {ADDRESS|Storgatan 12B, 411 38 Göteborg}",
        "home is {ADDRESS|Mannerheimintie 20 A 5, 00100 Helsinki}",
        "at {ADDRESS|apt 7, 144 Bleecker Street, New York, NY 10012}",
        "at {ADDRESS|Villa 22, Street 14, Al Barsha 2, Dubai}",
        "at {ADDRESS|PSC 477 Box 12, APO AP 96349}",
        "at {ADDRESS|Two Bryant Place, Suite 9, Albany, NY 12207}",
        "快递放{ADDRESS|深圳市南山区高新南一道9号门卫}就行",
        "我住{ADDRESS|天通苑北一区12-5-301}",
        "我家在{ADDRESS|阳光新城二期18栋甲单元701}",
        "租在{ADDRESS|劲松三区312楼5门403}",
        "寄到{ADDRESS|郑州市二七区航海路升龙城7号院3号楼}，{ADDRESS|武昌区中北路姚家岭231号}",
        "奶奶在{ADDRESS|贵州省遵义市湄潭县永兴镇茅坝村沙坪组}",
        "we block {IP|203.0.113.0/24}. ip_{IP|10.11.12.14}, updated to {IP|10.6.6.6}",
        "把{IP|192.168.1.10}ban掉，更新到{IP|192.168.1.77}，interface:{IP|fe80::5efe:c000:201}",
        "Update: {IP|203.0.113.81}; route {IP|10.5.0.0/255.255.0.0}; 从{IP|::1:2:3:4}来",
        "网关{IP|192。168。1。5}，C2是{IP|185[.]62[.]190[.]110}，{IP|10.2.3.4}节点又挂了",
        "The address of our office is {IP|81.23.45.67}, office: {IP|10.4.7.9}",
        "DNS解析更新到{IP|47.98.12.6}，升级到{IP|127.0.0.1}，我的电脑ip{IP|240e:3a1::5}",
        "our range is {IP|10.20.x.x}, 打印机都在{IP|192.168.1.*}",
        "我ping{IP|8.8.8.8}丢包，ssh{IP|10.3.4.5}连不上，海康NVR{IP|192.168.254.8}",
        "网关是{IP|192点168点1点5}，{IP|一九二点一六八点一点五}, {IP|192 dot 168 DOT 1 dot 5}",
        "网段{IP|10.0.0.x}，程序更新到{IP|47.93.12.8}上",
        "{ID_CARD|110 105 1988 0104 2980}，这样断句",
        "請改撥{PHONE|02-2700-7333分機259}, or call {PHONE|(919) 247-0670 ext. 12}",
        "NAS{IP|192.168.31.9}, it's...{IP|10.44.55.66}, see you.{IP|77.111.246.12}",
    ],
)
def test_numbers_and_addresses_are_found_whole(marked: str):
    """L7: also where they touch Chinese characters."""
    text, expected = parsed(marked)
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "The laptop costs 12999.00 dollars in 2024.",
        "订单号20231105998877已经发货，共12999元。",
        "编号110105194912310021",  # the shape and the date of an identity card, a wrong checksum
        "card 4111 1111 1111 1112",
        "version 1.2.3.4 and std::vector at 10:30:45",
        "300.1.2.3 is no address, and a bare :: is none",
        "北京 and Paris alone, 长安街很宽，坐5号线",
        "walk 5 miles down the road",
        "ISBN 978-3-16-148410-0",
        "Upgrade to 1.2.3.4-beta, section 4.3.2.1, driver 31.0.101.45",
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8, the primary key is user_2024_id",
        "request 550e8400-e29b-41d4-a716-446655440000 failed",
        "ABC13812345678DEF and 138****5678",
        "upgraded nginx to 1.25.3.1, rule 12.3.4.1, 依赖库4.1.0.2, 2.4.1.9rc2, 1.2.3.4beta",
        "Python 3.11.4.1, 内核5.15.0.91, 子网掩码是255.255.255.0, netmask 255.255.0.0",
        "since 10.4.x, before 10.x, Oracle 10.2.0.x, libssl.so.1.0.2.8",
        "ratio 3:4::6:8, MAC 00:1A:2B:3C:4D:5E, clip 01:23:45:12",
        "our firmware went from 2.14.0.7, and then 1. 2. 3. 4. of the list",
        "指纹 SHA256:m0tejr09aPhMliTEZvfK0o4SHYSNMmoKMdUUy5hWhV4",
        "-----BEGIN CERTIFICATE-----\n"
        "HzEdMBsGA1UEAwwUYXBwLnN0YWdpbmcuaW50ZXJuYWwwHhcNMjYxMTMwMjMzNTE1\n"
        "MB0GA1UdDgQWBBQMx7t7Nqxwt2QOsWvFblpAFrG1VjAfBgNVHSMEGDAWgBQMx7t7\n"
        "-----END CERTIFICATE-----",
        "Symphony 40, 1788 Vienna; Room 12, 2024 Olympics; One Way Street is an album",
        "文三路新店铺8号开张，南京路那里2号见，国际大厦北座很高，比分是2比1",
    ],
)
def test_look_alikes_are_left_alone(text: str):
    assert found(text) == []


@pytest.mark.parametrize(
    "marked",
    [
        "凭证为{SECRET|sk_test_AAAAAAAAAAAAAAAAAAAA}",
        "密钥{SECRET|sk-proj-aB3dE5fG7hI9jK1lM3nO5pQ7}泄露",
        "{SECRET|AKIAIOSFODNN7EXAMPLE} {SECRET|wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY}",
        "-----BEGIN CERTIFICATE-----\nHzEdMBsGA1UEAwwUYXBwLnN0YWdpbmcuaW50\n\nand the token is "
        "{SECRET|q7Yp2mXs9Lk3TzVbLxIpzMGni3WhRGfI2rVXWybQTK}",
        "用{SECRET|ghp_16C7e42F292c6912E7710c838347Ae178B4a}推送",
        "Bearer {SECRET|eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc123DEF456}",
        "微信AppSecret：{SECRET|56469602d1ba9f20df4875b15b0be23b}",
        "新的API密钥：`{SECRET|LxIpzMGni3WhRGfI2rVXWybQTK}`，密钥换成了{SECRET|q7Yp2mXs9Lk3TzVb}",
        "the staging api key for prod is {SECRET|f61189639e35aeeb95210ef2a83fdf6a}",
        'api_key = "{SECRET|9f8e7d6c5b4a39281706}"',
        "我们的{SECRET|mh_k3J9x2LmQ8vT5rW1pZ7n}在用",
        "{PRIVATE_KEY|-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEAx5P2\n"
        "-----END RSA PRIVATE KEY-----}收好",
        "{PRIVATE_KEY|-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIIrYSSNQFaA2Hwf1}\n\nis cut off",
    ],
)
def test_keys_and_tokens_are_found(marked: str):
    """L7"""
    text, expected = parsed(marked)
    assert found(text) == expected


@pytest.mark.parametrize(
    "marked",
    [
        "my password is {PASSWORD|hunter2}",
        "The password is {PASSWORD|swordfish}.",
        "The wifi password for the guest network is {PASSWORD|sunshine99}.",
        "I changed my password to {PASSWORD|maplesyrup7}.",
        "pwd={PASSWORD|q1w2e3}; user=admin",
        "My bank PIN is {PASSWORD|4821}.",
        "密码是 {PASSWORD|abc123}，别告诉别人",
        "口令:{PASSWORD|Zx9!kLm}",
        "我把密码改成了{PASSWORD|qwer5678}。",
        "curl -u alice:{PASSWORD|w0nder!and} https://api.example.com",
        "mysql -uroot -p{PASSWORD|S3cret99} shop",
        "login admin / {PASSWORD|Passw0rd!}",
        "{PASSWORD|Mango$42} is my password",
        "from the door code is {PASSWORD|5590}",
        "锁屏密码从{PASSWORD|1234}换成{PASSWORD|5678}了",
        "账号密码：zhangsan / {PASSWORD|Zs#5566}",
        "it's still {PASSWORD|hunter2}, the password hasn't changed",
        "老规矩 {PASSWORD|abc123}，密码没换",
        "六位密码是我生日 {PASSWORD|990214}",
        "sign in with {PASSWORD|Zeppelin_88} — that's the password",
        "my password is {PASSWORD|p a s s 1 2 3}",
        "password changed from {PASSWORD|oldie_55} to {PASSWORD|newbie_66}",
        "my passphrase is {PASSWORD|correct horse battery staple}.",
        "Your verification code is {PASSWORD|482913}",
        "the padlock is {PASSWORD|6203}",
        "密保答案是{PASSWORD|小白兔}",
        "{PASSWORD|hunter2}是我的密码",
        "输入{PASSWORD|6688}就能开门",
        "the password? {PASSWORD|pineapple3}.",
        "postgres://app:{PASSWORD|s3cr3tpw}@db.internal:5432/app",
        "SSID HomeNet, key {PASSWORD|vq8trw2mz}",
        "the safe opens with {PASSWORD|44-12-9}",
        "our guest network password is {PASSWORD|blue velvet}",
        "pass code {PASSWORD|773310}, sim PIN = {PASSWORD|0852}",
        "steam login: gamer99:{PASSWORD|pixelPusher3}",
        "passcode 是 {PASSWORD|009911}，密码忘了，好像是{PASSWORD|qq5201314}",
        "密码是{PASSWORD|芝麻开门}。",
        "redis密码：{PASSWORD|foobared}，解压密码{PASSWORD|bdys}",  # no English adjectives here
        "密码是{PASSWORD|wo ai bei jing}",
        "密码是{PASSWORD|lixue0913}（全小写）",
        "密码是她手机号{PHONE|13655558888}",
        "密码是我家狗狗名字{PASSWORD|wangcai}",
        "公司WiFi（Corp-5G）的密码是手机号加首字母{PASSWORD|138zwj}",
        "{PASSWORD|woshishui}是我的开机密码",
        "还记得密码吧？{PASSWORD|lixue0913}",
        "助记词是 {PASSWORD|apple river stone cloud tiger lamp}",
        "手机锁屏{PASSWORD|147258}，保险柜{PASSWORD|550719}",
        "卡密：{PASSWORD|ABCD-EFGH-1234}，授权码 {PASSWORD|KXWQPLMNTBVZRCYD}",
        "进小区先按{PASSWORD|1102#}再推门",
        "默认账号admin 默认密码{PASSWORD|admin}，root/{PASSWORD|toor}",
        "口令改为{PASSWORD|春风十里}",
        "密码是{PASSWORD|Kp#39xz}😀, password 🔑 {PASSWORD|raspberry1}",
        "password «{PASSWORD|s3cr3t}», passwrod is {PASSWORD|Lloyds_66}",
        "the password is all lowercase {PASSWORD|raspberrypi}",
        "zip password: {PASSWORD|infected}",
        "Password - {PASSWORD|let-me1n}",
        "密码提示是狗的名字，密码是{PASSWORD|旺财2019}",
        "the password, in case you forgot, is {PASSWORD|opensesame}",
        "my phone passcode is {PASSWORD|061512}, our anniversary",
        "my password has always been {PASSWORD|longhorn}",
        "If asked for a password, use {PASSWORD|no-more-lag}",
        "the code word is {PASSWORD|swordfish}",
        "sign in using {EMAIL|me@x.com} and {PASSWORD|Smithy#1}",
        "WIFI:T:WPA;S:Home;P:{PASSWORD|bluewhale12};;",
        "the combo on the shed is {PASSWORD|0451}, PUK code: {PASSWORD|48291037}",
        "my pins are {PASSWORD|1188} and {PASSWORD|2299}",
        "APP_PASSWORD={PASSWORD|abcd} {PASSWORD|efgh ijkl mnop}",
        "net use Z: /user:bob {PASSWORD|sekrit99}",
    ],
)
def test_of_a_password_the_value_alone_is_private(marked: str):
    text, expected = parsed(marked)
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "I forgot my password again.",
        "The password is wrong.",
        "Your password must be at least 12 characters long.",
        "我忘记密码了，怎么找回？",
        "密码至少要8位，密码是错的。",
        "密码采用SHA256存储，密码泄露影响了5000人，验证码2分钟后失效",
        "password is the same as always, it must have 12 characters by 2026-01-01",
        "My passphrase is five words long, the security answer is stored hashed.",
        "The password page crashes on iOS17 and Windows11, see SEC-4411.",
        "Sign in using Okta2, use Excel2019 to open it, the safe is 1200 mm tall.",
        "My password manager is Bitwarden, my boarding pass QX7788 is here.",
        "My token limit is 4096 per request.",
        "password hashing with bcrypt is slow, password: see the note",
        "the password is printed underneath the router",
        "密码是系统生成，密码是六位数字",
        "这个博主的流量密码是美食",
        "密码还是要定期换，门禁23:00关，门锁1299元，保险箱2019款，密码修改失败，错误码1003",
        "摩斯密码SOS怎么打，遗传密码UAA是终止密码子，我用1Password管理密码",
        'password = input("Enter it: ")',
        'password = os.environ["PW"]\npw = config.get("pw")',
        "password: ${DB_PASSWORD} password: ******** password: n/a",
        "docker run -p 8080:80 nginx; chown root:root /srv; decrypt it with OpenSSL3",
        "My new password is great. The password, as usual, was wrong.",
        "When asked for the password, use yours",
        "If it asks for a password, use fingerprint. Password rotated.",
        "密码已修改，Netflix要重新登录。密码重置了，VPN要重连",
        "密码为空会报error。",
        "密码为空导致crash。",
        "新买的门锁1299元，很划算",
        "I extract features using ResNet50, the password field breaks in Firefox120",
        "they leaked my password in 2013. The burger combo is 950 calories",
        "the code for unit 304",
        "Forgot password - click. Change password - done",
    ],
)
def test_talk_about_passwords_gives_none_away(text: str):
    assert found(text) == []


def test_every_token_has_a_name_and_a_pattern():
    lines = [line.split("\t") for line in words("tokens.txt")]
    assert all(len(line) == 2 and re.compile(line[1]) for line in lines)
