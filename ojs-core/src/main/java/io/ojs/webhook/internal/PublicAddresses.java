package io.ojs.webhook.internal;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;

/**
 * Addresses of the public internet, which are not in a network that only this machine can
 * reach.
 */
final class PublicAddresses {

	/** The IPv4 ranges that are not public. */
	private static final List<Range> CLOSED_V4 = ranges("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8",
			"168.63.129.16/32", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24",
			"192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4");

	/**
	 * The IPv6 range that is public. It excludes fc00::/7, fe80::/10, ff00::/8,
	 * 64:ff9b::/96 and ::1.
	 */
	private static final Range GLOBAL_V6 = range("2000::/3");

	/** The parts of it that stand for other addresses, or for none. */
	private static final List<Range> CLOSED_V6 = ranges("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20");

	private PublicAddresses() {
	}

	/**
	 * Whether an address is public.
	 * @return whether it is public
	 */
	static boolean include(InetAddress address) {
		byte[] bytes = address.getAddress();
		if (address instanceof Inet4Address) {
			return CLOSED_V4.stream().noneMatch((range) -> range.contains(bytes));
		}
		return GLOBAL_V6.contains(bytes) && CLOSED_V6.stream().noneMatch((range) -> range.contains(bytes));
	}

	private static List<Range> ranges(String... texts) {
		return Stream.of(texts).map(PublicAddresses::range).toList();
	}

	private static Range range(String text) {
		String[] parts = text.split("/");
		try {
			return new Range(InetAddress.getByName(parts[0]).getAddress(), Integer.parseInt(parts[1]));
		}
		catch (UnknownHostException ex) {
			throw new IllegalStateException(text + " is no range of addresses.", ex);
		}
	}

	private record Range(byte[] start, int bits) {

		boolean contains(byte[] address) {
			if (address.length != this.start.length) {
				return false;
			}
			for (int i = 0; i < this.bits; i++) {
				int mask = 0x80 >> (i % Byte.SIZE);
				if (((address[i / Byte.SIZE] ^ this.start[i / Byte.SIZE]) & mask) != 0) {
					return false;
				}
			}
			return true;
		}

	}

}
