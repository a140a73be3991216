package io.ojs.webhook.internal;

import java.net.Inet6Address;
import java.net.InetAddress;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which addresses anybody could reach.
 */
class PublicAddressesTests {

	@ParameterizedTest
	@ValueSource(strings = { "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255",
			"127.0.0.1", "127.255.0.1", "168.63.129.16", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1",
			"192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.7",
			"224.0.0.1", "239.1.2.3", "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1",
			"::ffff:10.0.0.1", "::7f00:1", "64:ff9b::7f00:1", "64:ff9b:1::1", "100::1", "2001::1",
			"2001:0:4136:e378::1", "2001:10::1", "2001:db8::1", "2002:7f00:1::", "3fff::1", "5f00::1", "fc00::1",
			"fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1" })
	void notThese(String address) throws Exception {
		assertThat(PublicAddresses.include(InetAddress.getByName(address))).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "1.1.1.1", "9.255.255.255", "11.0.0.1", "100.63.255.255", "100.128.0.1", "126.1.1.1",
			"128.0.0.1", "168.63.129.15", "168.63.129.17", "169.253.1.1", "169.255.1.1", "172.15.1.1", "172.32.1.1",
			"192.0.1.1", "192.167.1.1", "192.169.1.1", "198.17.1.1", "198.20.1.1", "223.255.255.255", "2001:200::1",
			"2001:4860:4860::8888", "2003::1", "2600::1", "2a00:1450:4001::1", "::ffff:1.1.1.1" })
	void butThese(String address) throws Exception {
		assertThat(PublicAddresses.include(InetAddress.getByName(address))).isTrue();
	}

	/** Java makes an IPv4 address of it only if it gets the text. */
	@Test
	void notAMappedAddressThatStaysIpv6() throws Exception {
		byte[] mapped = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff, 127, 0, 0, 1 };
		assertThat(PublicAddresses.include(Inet6Address.getByAddress(null, mapped, -1))).isFalse();
	}

}
