"""A client of the exchange in one page: reads, an API wallet, an order, its receipt, a cancel.

Needs Python 3.10 and `pip install eth-account`. Nothing of ballast: canonical bytes and structs as openapi.yaml describes
them under x-commands and x-eip712.

    python client.py http://127.0.0.1:8787 <privateKey of a funded account>
"""

import json
import struct
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from eth_account import Account
from eth_account.messages import encode_typed_data
from eth_utils import keccak

BASE, KEY = sys.argv[1], sys.argv[2]
SIDE = {"buy": 0, "sell": 1}
TIME_IN_FORCE = {"gtc": 0, "ioc": 1, "postOnly": 2, "fok": 3}


def call(path, body=None, min_seq=None):
    headers = {"content-type": "application/json"} | ({"x-svc-min-seq": str(min_seq)} if min_seq else {})
    data = None if body is None else json.dumps(body).encode()
    try:
        with urlopen(Request(BASE + path, data, headers), timeout=10) as answer:
            return json.load(answer)
    except HTTPError as refused:
        sys.exit(f"{refused.code} {path}: {refused.read().decode()}")


def scaled(text, decimals):
    """Exact: never through a float."""
    whole, _, part = text.partition(".")
    assert len(part) <= decimals, f"{text} has more than {decimals} decimals"
    return int(whole + part.ljust(decimals, "0"))


def sign(wallet, type_string, values):
    """EIP-712 over the struct that the type string names. Gives the signature and the id of the request."""
    name, fields = type_string.rstrip(")").split("(")
    types = [dict(zip(("type", "name"), field.split(" "))) for field in fields.split(",")]
    domain_types = {"name": "string", "version": "string", "chainId": "uint256", "verifyingContract": "address"}
    message = encode_typed_data(full_message={
        "types": {"EIP712Domain": [{"name": k, "type": t} for k, t in domain_types.items()], name: types},
        "primaryType": name,
        "domain": DOMAIN,
        "message": values,
    })
    digest = keccak(b"\x19" + message.version + message.header + message.body)
    request_id = keccak(bytes.fromhex(wallet.address[2:]) + digest)
    return "0x" + wallet.sign_message(message).signature.hex().removeprefix("0x"), "0x" + request_id.hex()


def next_nonce(signer=None):
    """Read once; a writer that has the scope to itself counts on."""
    return call(f"/v1/account/nonce?address={main.address}" + (f"&signer={signer.address}" if signer else ""))


main, agent = Account.from_key(KEY), Account.create()
DOMAIN = call("/v1/exchange")["domain"]
market = call("/v1/markets/BTC-USD")

# The main wallet approves the API wallet: the only thing that it has to sign.
record = next_nonce()
account, nonce = record["signingAccountId"], record["nonce"]
grant = {"agent": agent.address, "validUntilMs": 0}
signature, _ = sign(
    main,
    "ApproveAgent(address owner,uint32 master,address agent,uint64 validUntilMs,uint64 nonce)",
    {"owner": main.address, "master": account, "nonce": nonce, **grant},
)
approved = call("/v1/account/agents/approve", {"account": main.address, "nonce": nonce, "signature": signature, **grant})
print("approved", agent.address, "at seq", approved["seq"])


def write(path, command, business, min_seq=None):
    """Signs AgentExec over the command's bytes and sends it; what is signed and what is sent must say the same."""
    scope = next_nonce(agent)
    values = {"commandHash": keccak(command), "nonce": scope["nonce"]}
    signature, request_id = sign(agent, "AgentExec(bytes32 commandHash,uint64 nonce)", values)
    envelope = {"account": main.address, "signer": agent.address, "nonce": scope["nonce"], "signature": signature}
    try:
        return call(path, envelope | business, min_seq), request_id
    except OSError as lost:  # no answer: nothing is known, and a new nonce would be a second order
        where = f"/v1/requests/{request_id}?scope={scope['scope']}&nonce={scope['nonce']}"
        sys.exit(f"no answer ({lost}): ask {where} until it is final")


bid = call("/v1/markets/BTC-USD/book?depth=100")["bids"][-1][0]  # too low to be filled at once
now_ms = call("/v1/time")["serverTime"]
order = {"symbol": "BTC-USD", "side": "buy", "price": bid, "size": "0.001", "timeInForce": "postOnly", "reduceOnly": False}
place = bytes([1, 0x05]) + struct.pack(
    "<IHBIQBBQQII",
    account,
    market["signingMarketId"],
    SIDE[order["side"]],
    scaled(order["price"], market["priceDecimals"]),
    scaled(order["size"], market["sizeDecimals"]),
    TIME_IN_FORCE[order["timeInForce"]],
    order["reduceOnly"],
    0,  # no expiry
    now_ms,
    0,
    0,
)
placed, request_id = write("/v1/orders", place, {"orders": [order], "nowMs": now_ms}, approved["seq"])
item = placed["items"][0]
print("placed", order["side"], order["size"], "at", bid, item["state"], item.get("orderId"))
print("receipt", call(f"/v1/requests/{request_id}")["status"])

order_id = item["orderId"]
cancel = bytes([1, 0x06]) + struct.pack("<IQ", account, market["signingMarketId"] << 48 | int(order_id))
canceled, _ = write("/v1/orders/cancel", cancel, {"orders": [{"symbol": "BTC-USD", "orderId": order_id}]})
print("canceled", canceled["items"][0]["state"])
