"""Words that mean much the same to somebody who looks for a tool."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

from .terms import terms

# One group a line. Chinese stands beside English because many published tools describe themselves in Chinese only;
# a word of it must be two characters, the unit in which such text is indexed.
_GROUPS = """
create creation add make new generate generation build insert compose produce draft 创建 新建 添加 生成
get fetch retrieve read obtain load access retrieval 获取 读取
list show display enumerate browse view 列出 列表 显示 查看
find search lookup query discover locate seek explore 搜索 查询 查找 检索
delete deletion remove removal erase drop clear purge discard destroy wipe trash 删除 移除 清除
update edit modify change set alter adjust revise modification 更新 修改 编辑 设置
send deliver dispatch transmit forward 发送
post publish share release 发布 分享
convert transform turn change export conversion transformation 转换 转为
download save export store 下载 保存
upload import attach load put 上传 导入
summarize summary digest abstract recap overview tldr rundown summarization 总结 摘要
translate translation translator localize 翻译
analyze analysis analytic insight examine inspect evaluate assess investigate study 分析
compare comparison versus difference diff contrast 比较 对比
book reserve reservation booking 预订 预约
buy purchase order shop acquire 购买
sell sale vend trade 出售
calculate compute calculator estimate math count calculation 计算
check verify validate confirm test verification validation 检查 验证
run execute launch start invoke evaluate perform execution 运行 执行 启动
stop kill terminate cancel abort halt end shutdown cancellation 停止 取消
monitor track watch observe trace 监控 跟踪
notify alert remind reminder notification alarm warn warning 通知 提醒 预警
recommend recommendation suggest suggestion advice advise propose tip idea 推荐 建议
plan planner planning itinerary organize arrange 计划 规划
schedule calendar event appointment meeting agenda 日历 日程 会议
predict forecast prediction projection outlook predictive 预测 预报
rename move relocate transfer 移动 重命名
copy duplicate clone replicate 复制
merge combine join concatenate unify 合并
split divide separate slice 分割 拆分
extract parse scrape crawl harvest pull extraction 提取 解析 抓取
open launch navigate visit browse navigation 打开
close shut finish complete resolve 关闭
draw sketch paint drawing painting render illustrate 绘制 画图
write author compose draft edit 写入 编写
improve enhance optimize polish refine rewrite rephrase paraphrase proofread optimization improvement 优化
encrypt cipher encryption encode hash 加密
decrypt decode decipher decryption 解密 解码
encode decode base64
compress zip archive shrink compression 压缩
decompress unzip extract 解压
fix repair correct debug troubleshoot 修复
learn study teach tutor train lesson 学习
register signup enroll subscribe enrollment registration subscription 注册 订阅
login signin authenticate authentication auth authorize authorization credential oauth 登录 认证
approve accept confirm approval 批准
reject deny decline refuse rejection 拒绝
assign allocate delegate assignee owner assignment allocation 分配
invite add join member invitation 邀请
rate rating review score feedback opinion evaluation 评论 评分 评价
rank ranking top best popular leaderboard trending trend hot 排名 排行 热门 热榜 热搜
play start resume stream listen 播放
pause stop suspend
connect link integrate connection 连接
deploy deployment release rollout publish ship 部署
install setup add configure installation 安装
configure configuration setting config preference option 配置
upgrade update 升级
backup restore snapshot recover 备份 恢复
sync synchronize replicate 同步
filter select match 筛选 过滤
sort order arrange 排序
visualize visualization chart graph plot diagram 图表 可视
measure metric measurement kpi statistic 统计 指标
identify recognize detect detection recognition identification 识别 检测
classify categorize label category class tag classification 分类 标签
simulate simulation model modeling 模拟
solve solver solution answer 解决
ask question query chat answer faq 问题 提问
explain describe explanation description detail information 描述 详情 信息
rent rental lease hire renting 租赁
donate donation charity nonprofit philanthropy fundraising ngo
negotiate deal bargain
click tap press 点击
type input fill enter 输入
scroll swipe 滚动
screenshot capture snapshot screen 截图
scan scanner scanning 扫描
print printer
record recording log 记录
file document attachment doc 文件 文档
folder directory path dir mkdir 目录 文件夹
pdf document
word docx document paragraph
powerpoint ppt pptx presentation slide deck keynote slideshow 演示 幻灯
excel spreadsheet xlsx worksheet workbook sheet csv 表格 工作表
cell row column range 单元格
table row column record 表格 数据表
text txt content string 文本 内容
note memo notebook notepad jot 笔记
template format layout style 模板
report summary statement 报告
form survey questionnaire poll quiz 表单 问卷
page webpage website site web 网页 页面 网站
url link domain website uri hyperlink 链接 域名
markdown md
html web webpage
image picture photo photograph graphic pic img illustration 图片 图像 照片
screenshot image
video clip footage youtube movie 视频
audio sound voice speech recording podcast 音频 语音
speech voice tts speak narration 语音
transcribe transcript transcription caption subtitle 字幕 转录
music song track album artist playlist spotify melody lyric 音乐 歌曲
film movie cinema show tv series episode 电影
book novel literature author ebook reading 图书 书籍
paper article publication research scholar journal academic arxiv literature study 论文 文献 研究
news headline article press story current 新闻 资讯 头条
blog post article wordpress 博客
font typeface
icon emoji symbol sticker 图标
logo brand
color palette hue 颜色
qr barcode qrcode
email mail inbox gmail message outlook newsletter 邮件 邮箱
message chat sms text dm conversation 消息 聊天 短信
slack channel message chat
comment reply feedback note 评论
phone call telephone dial mobile voip 电话
contact person people lead address customer 联系
user account member profile person customer 用户 账户 账号
group team organization channel 群组 团队
customer client buyer account consumer 客户
company business organization firm corporation enterprise employer vendor 公司 企业
employee staff worker personnel hr human resource 员工
job career employment vacancy position hiring recruit recruitment talent candidate occupation 职位 招聘 工作
resume cv candidate
interview candidate screening
salary wage pay payroll compensation income 工资
task todo ticket issue work assignment action 任务 待办
issue bug ticket defect problem 问题
project board kanban workspace 项目
goal objective habit progress productivity okr 目标
milestone deadline due
time date clock datetime timestamp hour timezone 时间 日期
day daily today 今日
week weekly
month monthly
history historical past log archive 历史
code coding program programming script software developer function snippet 代码 编程
python javascript java code script
repository repo git github gitlab codebase bitbucket 仓库
commit push change revision diff
branch fork
pull merge pr request review
package library dependency module npm pip maven 软件包
version release tag 版本
api endpoint rest request webhook http integration 接口
webhook callback hook
database db sql table schema query postgres mysql sqlite mongodb 数据库
sql query select
server host instance machine vm compute ec2 服务器
container docker image kubernetes pod k8s 容器
cluster node kubernetes
cloud aws azure gcp
storage bucket s3 blob disk volume 存储
log trace event error debug 日志
error exception failure crash bug 错误
test testing unit qa 测试
terminal shell command bash console cli process 终端 命令
process task job service 进程
browser web page chrome playwright puppeteer 浏览
network ip internet dns port connectivity 网络
domain whois dns registrar hostname 域名
password credential secret token key 密码
security vulnerability cve threat exploit attack malware phishing risk 安全 漏洞
permission role access policy acl 权限
cache memory redis
queue message job
memory knowledge remember recall 记忆
knowledge wiki wikipedia encyclopedia fact graph 知识 百科
ai llm gpt model chatbot assistant agent 模型
agent assistant bot
prompt instruction template
embedding vector semantic
dataset data csv table record 数据
json xml yaml data
number numeric digit integer 数字
random uuid dice
math mathematics arithmetic equation algebra formula calculation 数学
square root power exponent
average mean median statistic
unit conversion measurement convert
regex pattern
finance financial money investment invest banking 金融 财务
stock share equity ticker market nasdaq nyse 股票
market exchange trading price
price cost rate quote fee value pricing 价格
crypto cryptocurrency bitcoin ethereum blockchain token coin btc eth 加密
wallet address balance
nft token collectible
currency exchange forex fx dollar euro pound yen 汇率 货币
payment pay invoice bill checkout charge stripe billing 支付 付款
invoice bill receipt 发票
refund return reimbursement chargeback 退款
bank account transaction balance transfer deposit 银行
loan mortgage credit debt interest 贷款
tax taxation vat irs 税务
budget expense spending cost saving 预算
insurance policy premium claim coverage 保险
earnings revenue profit income
balance sheet statement financial
portfolio asset fund etf holdings 基金
dividend yield
coupon discount promo deal offer voucher bargain 优惠 折扣
product item goods merchandise catalog sku 商品 产品
store shop retailer marketplace shopping mall ecommerce 商店
cart basket checkout
inventory stock warehouse supply 库存
shipping delivery shipment parcel package courier tracking logistics 物流 快递
order purchase 订单
supplier vendor manufacturer
gift present
review rating testimonial
advertisement ad advertising campaign marketing ppc promotion 广告 营销
seo keyword ranking optimization traffic
social media twitter facebook instagram tiktok linkedin
tweet twitter post
subscriber follower audience
lead prospect sales crm pipeline 销售
contract agreement legal
law legal legislation court lawsuit statute attorney lawyer regulation case 法律
government politics parliament congress senate election public 政府
patent trademark ip
compliance regulation audit
location place address coordinate position geographic 位置 地点 地址
geocode coordinate latitude longitude address 坐标 经纬
map route direction navigation distance 地图 路线 导航
nearby near local surrounding 附近 周边
city town region area 城市
country nation territory 国家
weather temperature rain humidity climate snow wind meteorological 天气 气温
air pollution quality aqi 空气
earthquake disaster hazard tsunami
travel trip tour tourism vacation holiday journey destination tourist 旅游 旅行
flight airline airport plane airfare aviation 航班 机票
hotel accommodation lodging airbnb hostel resort villa stay room 酒店 住宿
train railway rail station ticket 火车 车票 列车
bus transit transport metro subway transportation 公交 交通
car vehicle auto automobile automotive driving 汽车 车辆
taxi ride uber cab
parking carpark
charge charging ev electric
fuel gas petrol gasoline
traffic road congestion
ticket fare admission
event concert festival ticket show
restaurant dining food eat meal cuisine dinner 餐厅 美食
food meal dish cuisine recipe cooking ingredient 菜谱 食物
recipe cook cooking ingredient dish meal 菜谱
drink beverage wine beer cocktail
diet nutrition calorie meal nutrient vitamin 营养
house home property apartment estate housing condo flat residence townhouse realty bedroom 房产
room bedroom
furniture appliance home
garden plant flower gardening 植物
pet dog cat animal
animal wildlife species
weather forecast
health medical medicine healthcare wellness clinical 健康 医疗
doctor physician hospital clinic patient 医生 医院
drug medication medicine pharmaceutical prescription pill 药物
disease illness condition symptom diagnosis disorder 疾病
patient medical
clinical trial study
gene genetic genome dna genomic variant 基因
protein molecule chemical compound
fitness exercise workout gym training sport 健身
sleep rest
mental therapy meditation mindfulness
education course class learn school lesson university teacher training tutorial curriculum 课程 教育
student pupil learner 学生
language translation vocabulary grammar linguistic 语言
dictionary definition word meaning synonym thesaurus 词典
exam test quiz
quote saying quotation
joke humor funny meme comedy
story tale narrative fiction
poem poetry poet verse
art artwork painting museum gallery artist 艺术
museum artwork collection exhibit
history historical heritage
religion bible quran hadith scripture prayer
astrology horoscope zodiac tarot fortune bazi 八字 星座
birthday birth date
family parent child kid
game gaming play player puzzle 游戏
chess board game
sport football soccer basketball nba nfl team match league tennis athlete 体育
score result match
player team roster athlete
season league tournament championship
science scientific physics chemistry biology
space astronomy nasa planet star satellite
energy power electricity solar renewable
environment climate carbon emission sustainability
agriculture farm crop farming soil
manufacturing factory production machine
sensor device iot smart
robot robotic automation
design designer ui layout figma
architecture building construction
3d model mesh render
fashion clothing outfit wear style apparel
beauty cosmetic skincare makeup
wedding party celebration
job task
shorten short shortener condense abbreviate
extend expand enlarge grow
reduce decrease lower minimize shrink
increase raise boost
attach attachment enclose
bookmark favorite star like save
block ban mute
spam junk
hide archive
cheap budget affordable low
boss manager supervisor
colleague coworker teammate
leave vacation absence holiday
timer alarm stopwatch countdown
lamp bulb light lighting
thermostat heating
television tv
camera photo webcam
spelling typo grammar
scan ocr
handwriting ocr
performance speed latency slow benchmark
status health uptime availability
cpu processor usage
ram memory
disk drive storage
percentage percent ratio
geometry triangle circle polygon
calculus derivative integral
matrix linear algebra vector
probability odds chance likelihood
length distance height
weight mass
speed velocity
outage downtime incident
fine penalty fee
rule constraint policy
hint tip suggestion
sample example demo
clean sanitize cleanup
empty blank
latest recent newest new
upcoming future next
previous past earlier last
random shuffle
guess predict
count total number amount quantity
biggest largest maximum highest top
smallest lowest minimum
fast quick
enable activate
disable deactivate
hire recruit
fire dismiss
lend loan borrow
owner author creator
member participant attendee
guest visitor
audience viewer
reader subscriber
driver chauffeur
passenger traveler
tenant renter landlord
citizen resident
voter election
victim casualty
nurse doctor
dentist doctor
lawyer attorney
chef cook
pilot flight
guide tutorial manual handbook documentation
instruction guide tutorial
cover thumbnail
background wallpaper
diagram flowchart uml mermaid
mindmap diagram
signature sign
fingerprint hash checksum
headline title
paragraph section
chapter book
verse poem bible
"""


def related(term: str) -> tuple[str, ...]:
    """The terms of the words that stand in a group with `term`."""
    return _table().get(term, ())


@cache
def forms(term: str) -> frozenset[str]:
    """Those of the related terms that are the same word in another form: `reminder` for `remind`."""
    return frozenset(other for other in related(term) if _share_a_trunk(term, other))


def _share_a_trunk(one: str, other: str) -> bool:
    trunk = max(_SHORTEST_TRUNK, min(len(one), len(other)) - _ENDING)
    return one[:trunk] == other[:trunk]


_SHORTEST_TRUNK = 4
_ENDING = 2
"""So many letters at the end of the shorter form the longer one may have changed."""


@cache
def _table() -> dict[str, tuple[str, ...]]:
    table: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for line in _GROUPS.strip().splitlines():
        group = dict.fromkeys(terms(line))
        for term in group:
            table[term] |= group
    return {term: tuple(other for other in group if other != term) for term, group in table.items()}
