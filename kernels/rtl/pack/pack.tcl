# SPDX-License-Identifier: Apache-2.0
# Packs nb_link, or a wrapper of it, as the Vitis kernel nb_link:
#   vivado -mode batch -source pack.tcl -tclargs DIRECTORY kernel.xml [TOP]
# It leaves an IP-XACT directory, which SLASH takes as it is, and nb_link.xo in DIRECTORY.
# registers.py makes kernel.xml. The script has only been tested under stand-ins for Vivado's
# commands, never with Vivado.
set here [file dirname [file normalize [info script]]]
set where [lindex $argv 0]
set description [lindex $argv 1]
set top [expr {[llength $argv] > 2 ? [lindex $argv 2] : "nb_link"}]

create_project -force nb_link $where/project
set files {}
foreach name {link send recv times regs} {
    lappend files $here/../nb_$name.sv
}
if {$top ne "nb_link"} {
    lappend files $here/../wrap/$top.sv
}
add_files -norecurse $files
set_property top $top [current_fileset]
update_compile_order -fileset sources_1

ipx::package_project -root_dir $where/ip -vendor netbench -library kernel -taxonomy /KernelIP \
    -import_files -set_current true
set core [ipx::current_core]
set_property name nb_link $core
set_property version 1.0 $core
set_property sdx_kernel true $core
set_property sdx_kernel_type rtl $core

# All interfaces have the same clock and reset.
foreach bus {s_axi_control out in} {
    ipx::associate_bus_interfaces -busif $bus -clock ap_clk $core
}
ipx::associate_bus_interfaces -clock ap_clk -reset ap_rst_n $core
ipx::infer_bus_interface interrupt xilinx.com:signal:interrupt_rtl:1.0 $core

set_property xpm_libraries {XPM_CDC XPM_MEMORY XPM_FIFO} $core
set_property supported_families {} $core
set_property auto_family_support_level level_2 $core
ipx::update_checksums $core
ipx::save_core $core

package_xo -force -xo_path $where/nb_link.xo -kernel_name nb_link -ip_directory $where/ip \
    -kernel_xml $description -ctrl_protocol ap_ctrl_hs
close_project -delete
